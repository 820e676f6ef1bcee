// Deals the nodes of a list to two lists: keys below the pivot, and the others.
// test: --objects 5
// expect: split safe

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    requires \valid(lo) && \valid(hi) && \separated(lo, hi);
    requires \forall struct node *v; v != NULL && reach(next, h, v) ==> \separated(lo, v) && \separated(hi, v);
    requires *lo == NULL && *hi == NULL;
    ensures  ls(next, *lo, NULL) && ls(next, *hi, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, *lo, v) ==> v->data < pivot;
    ensures  \forall struct node *v; v != NULL && reach(next, *hi, v) ==> v->data >= pivot;
    ensures  \union(content(next, *lo), content(next, *hi)) == \old(content(next, h)); */
void split(struct node *h, int pivot, struct node **lo, struct node **hi)
{
    while (h) {
        struct node *next = h->next;
        struct node **to = h->data < pivot ? lo : hi;
        h->next = *to;
        *to = h;
        h = next;
    }
}
