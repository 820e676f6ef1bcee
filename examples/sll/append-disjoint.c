// Append needs two disjoint lists; appending a list to itself would close a cycle.
// test: --int-values 0
// expect: append safe

struct node {
    struct node *next;
    int data;
};

/*@ requires a != \null && reach(next, a, \null) && reach(next, b, \null);
    requires \inter(content(next, a), content(next, b)) == \empty;
    ensures  reach(next, a, \null) && reach(next, a, b); */
void append(struct node *a, struct node *b)
{
    for (; a->next; a = a->next)
        ;
    a->next = b;
}
