// Frees nodes with a given key, and goes on from a node that it has freed.

#include <stdlib.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==>
                 \old(reach(next, h, v)) && alloc(v);
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) && !reach(next, \result, v) ==>
                 !alloc(v);
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) && \old(v->key) != key ==>
                 reach(next, \result, v);
    ensures  \forall struct node *u, *v; v != NULL && reach(next, \result, u) && reach(next, \result, v) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v))); */
struct node *delete_key(struct node *h, int key)
{
    struct node *p, *q;

    if (h == NULL)
        return NULL;
    if (h->key == key) {
        p = h->next;
        free(h);
        return p;
    }
    for (p = h; (q = p->next) != NULL; p = q) { // BUG
        if (q->key == key) {
            p->next = q->next;
            free(q);
        }
    }
    return h;
}
