// The contract forgets that the two lists must not share nodes.
// test: --int-values 0
// expect: append violated postcondition

struct node {
    struct node *next;
    int data;
};

/*@ requires a != \null && reach(next, a, \null) && reach(next, b, \null);
    ensures  reach(next, a, \null) && reach(next, a, b); // BUG
*/
void append(struct node *a, struct node *b)
{
    for (; a->next; a = a->next)
        ;
    a->next = b;
}
