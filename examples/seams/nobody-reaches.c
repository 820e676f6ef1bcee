// Objects that are reached over many fields in turn: the logic has others, which nobody reaches.
// expect: nothing_before violated postcondition
// expect[pdr-forall]: nothing_before unknown imprecise

struct node { struct node *next; void *data; };

/*@ requires \forall struct node *v; reach(next, v, 0);
    requires n != 0 && n->next == 0 && !reach(next, a, n);
    ensures \forall struct node *x; x != 0 ==> x->next != n; */ // BUG nothing_before
int nothing_before(struct node *a, struct node *n)
{
    while (a && a->data)
        a = a->next;
    return 0;
}
