// Inserts a node into a sorted list, behind the nodes with smaller keys.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, h, NULL);
    requires sorted(next, key, h, NULL);
    requires e != NULL && !reach(next, h, e);
    requires e->next == NULL;
    ensures  reach(next, \result, NULL);
    ensures  sorted(next, key, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) || v == e);
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, h, u)) && \old(reach(next, h, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *v; v != NULL ==> v->key == \old(v->key); */
struct node *sorted_insert(struct node *h, struct node *e)
{
    struct node *p = h, *q = NULL;

    while (p != NULL && p->key < e->key) {
        q = p;
        p = p->next;
    }
    e->next = p;
    if (q == NULL)
        return e;
    q->next = e;
    return h;
}
