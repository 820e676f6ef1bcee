// Kernel-style list heads: add behind a head, delete.
// test: --objects 3
// expect: list_add safe
// expect: list_del safe
// expect[pdr-forall]: list_add verified

#include <stddef.h>

struct list_head {
    struct list_head *next, *prev;
};

/*@ predicate circular(struct list_head *h) = h != NULL && cyclic(next, h) &&
      \forall struct list_head *v; v != NULL && reach(next, h, v) ==> v->next->prev == v; */

static inline void __list_add(struct list_head *new, struct list_head *prev, struct list_head *next)
{
    next->prev = new;
    new->next = next;
    new->prev = prev;
    prev->next = new;
}

/*@ requires circular(head) && new != NULL && !reach(next, head, new) && new->next == NULL && new->prev == NULL;
    assigns  new->next, new->prev, head->next, head->next->prev;
    ensures  circular(head) && head->next == new;
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

    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
    entry->next = entry->prev = NULL;
    return rest;
}
