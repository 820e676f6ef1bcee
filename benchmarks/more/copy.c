// Copies a list.

#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires reach(next, from, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \result == NULL <==> from == NULL;
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==> alloc(v) && !\old(alloc(v));
    ensures  from != NULL ==> \result->data == from->data;
    ensures  \forall struct node *u, *v; \old(alloc(u)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v))); */
struct node *copy(const struct node *from)
{
    struct node *head = NULL, *tail = NULL;

    for (; from; from = from->next) {
        struct node *n = malloc(sizeof *n);
        n->data = from->data;
        n->next = NULL;
        if (!head)
            head = tail = n;
        else
            tail = tail->next = n;
    }
    return head;
}
