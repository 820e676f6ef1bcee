// DLL.addLast of Symbolic Shape Analysis: appends a node to a doubly linked list by walking to its end.

#include <stddef.h>

struct node {
    struct node *next;
    struct node *prev;
};

static struct node *first;

/*@ requires dll(next, prev, first, NULL) && (first != NULL ==> first->prev == NULL);
    requires n != NULL && !reach(next, first, n) && n->next == NULL && n->prev == NULL;
    ensures  dll(next, prev, first, NULL);
    ensures  content(next, first) == \union(\old(content(next, first)), {n}); */
void add_last(struct node *n)
{
    struct node *last;

    if (first == NULL) {
        first = n;
        return;
    }
    last = first;
    while (last->next != NULL)
        last = last->next;
    last->next = n;
    n->prev = last;
}
