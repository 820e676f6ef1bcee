// The contract also admits lists with an end, and the walk falls off it.
// expect: ring_length violated null-deref

struct ring {
    struct ring *next;
    int data;
};

/*@ requires r != NULL;
    assigns  \nothing;
    ensures  \result >= 1;
*/
unsigned ring_length(struct ring *r)
{
    unsigned n = 0;
    struct ring *p = r;
    do {
        n++;
        p = p->next; // BUG
    } while (p != r);
    return n;
}
