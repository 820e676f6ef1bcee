// Counts the nodes of a ring with a do-while loop.
// expect: ring_length safe

struct ring {
    struct ring *next;
    int data;
};

/*@ requires cyclic(next, r);
    assigns  \nothing;
    ensures  \result >= 1;
    ensures  \result == 1 <==> r->next == r;
    ensures  \result == 2 <==> r->next != r && r->next->next == r; */
unsigned ring_length(struct ring *r)
{
    unsigned n = 0;
    struct ring *p = r;
    do {
        n++;
        p = p->next;
    } while (p != r);
    return n;
}
