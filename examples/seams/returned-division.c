// What is returned is computed, whether or not anybody looks at it.
// test: --engine proveit
// expect: last_quotient unknown oracle

struct n { struct n *next; int d; };

//@ requires reach(next, h, NULL);
int last_quotient(struct n *h)
{
    int s = 0;
    while (h) {
        s = h->d;
        h = h->next;
    }
    return 100 / (s - 12345);
}
