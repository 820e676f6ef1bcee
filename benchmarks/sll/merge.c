// Merges two sorted lists into a single list (Predicate and Canonical Abstraction, Table 9).
// expect: merge safe

#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires ls(n, p, NULL) && ls(n, q, NULL);
    requires \inter(content(n, p), content(n, q)) == \empty;
    ensures  reach(n, \result, NULL); */
struct node *merge(struct node *p, struct node *q)
{
    struct node *h;
    struct node *l;

    if (p == NULL)
        return q;
    if (q == NULL)
        return p;
    if (p->data < q->data) {
        h = p;
        p = p->n;
    } else {
        h = q;
        q = q->n;
    }
    l = h;
    while (p != NULL && q != NULL) {
        if (p->data < q->data) {
            l->n = p;
            l = p;
            p = p->n;
        } else {
            l->n = q;
            l = q;
            q = q->n;
        }
    }
    if (p != NULL)
        l->n = p;
    else
        l->n = q;
    return h;
}
