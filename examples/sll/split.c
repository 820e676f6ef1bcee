// Deals the nodes of a list to two lists: keys below the pivot, and the others.
// test: --int-values 0,1
// expect: split safe
// expect[pdr-forall]: split verified

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    requires \valid(hi) && *hi == NULL;
    requires \forall struct node *v; v != NULL && reach(next, h, v) ==> \separated(hi, v);
    ensures  ls(next, \result, NULL) && ls(next, *hi, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==> v->data < pivot;
    ensures  \forall struct node *v; v != NULL && reach(next, *hi, v) ==> v->data >= pivot;
    ensures  \union(content(next, \result), content(next, *hi)) == \old(content(next, h)); */
struct node *split(struct node *h, int pivot, struct node **hi)
{
    struct node *lo = 0;
    while (h) {
        struct node *next = h->next;
        struct node **to = h->data < pivot ? &lo : hi;
        h->next = *to;
        *to = h;
        h = next;
    }
    return lo;
}
