extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

/* A ring of five, numbered on a walk and read on another one. */
struct item { struct item *next, *prev; int key; };

int main(void)
{
    int start = __VERIFIER_nondet_int(), n;
    struct item *ring = 0, *i;

    for (n = 0; n < 5; n++) {
        i = malloc(sizeof *i);
        if (!i)
            abort();
        i->key = start;
        if (!ring) {
            i->next = i->prev = i;
            ring = i;
        } else {
            i->next = ring;
            i->prev = ring->prev;
            i->prev->next = i;
            ring->prev = i;
        }
    }
    n = 0;
    i = ring;
    do {
        if (i->key != start)
            reach_error();
        i->key = ++n;
        i = i->next;
    } while (i != ring);
    n = 0;
    do {
        if (i->key != n)
            reach_error(); // BUG
        n++;
        i = i->next;
    } while (i != ring);
    if (n != 5)
        reach_error();
    i = ring->next;
    while (i != ring) {
        i = i->next;
        free(i->prev);
    }
    free(ring);
    return 0;
}
