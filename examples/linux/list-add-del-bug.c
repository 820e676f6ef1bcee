// list_add forgets the back link of the old first entry; list_del poisons before it unlinks.
// test: --objects 3
// expect: list_add violated postcondition
// expect: list_del violated null-deref

#include <stddef.h>

struct list_head {
    struct list_head *next, *prev;
};

/*@ predicate circular(struct list_head *h) = h != NULL && cyclic(next, h) &&
      \forall struct list_head *v; v != NULL && reach(next, h, v) ==> v->next->prev == v; */

static inline void __list_add(struct list_head *new, struct list_head *prev, struct list_head *next)
{
    (void) next;
    new->next = next;
    new->prev = prev;
    prev->next = new;
}

/*@ requires circular(head) && new != NULL && !reach(next, head, new) && new->next == NULL && new->prev == NULL;
    assigns  new->next, new->prev, head->next, head->next->prev;
    ensures  circular(head) && head->next == new; // BUG
    ensures  content(next, head) == \union({new}, \old(content(next, head))); */
void list_add(struct list_head *new, struct list_head *head)
{
    __list_add(new, head, head->next);
}

/*@ requires circular(entry) && entry->next != entry;
    ensures  circular(\old(entry->next)) && entry->next == NULL && entry->prev == NULL;
    ensures  content(next, \result) == \diff(\old(content(next, entry)), {entry}); */
struct list_head *list_del(struct list_head *entry)
{
    struct list_head *rest = entry->next;

    entry->next = NULL;
    entry->next->prev = entry->prev; // BUG
    entry->prev->next = entry->next;
    entry->prev = NULL;
    return rest;
}
