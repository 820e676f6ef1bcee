extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

/* A doubly linked list whose items own doubly linked rings. */
struct ring { struct ring *next, *prev; };
struct item { struct item *next, *prev; struct ring *at; };

int main(void)
{
    struct item *first = 0, *i;
    struct ring *r;

    while (__VERIFIER_nondet_int()) {
        i = malloc(sizeof *i);
        if (!i)
            abort();
        i->prev = 0;
        i->next = first;
        if (first)
            first->prev = i;
        first = i;
        i->at = malloc(sizeof *i->at);
        if (!i->at)
            abort();
        i->at->next = i->at->prev = i->at;
        while (__VERIFIER_nondet_int()) {
            r = malloc(sizeof *r);
            if (!r)
                abort();
            r->prev = i->at;
            r->next = i->at->next;
            r->next->prev = r;
            i->at->next = r;
        }
    }
    while (first) {
        i = first;
        first = i->next;
        if (first && first->prev != i)
            reach_error();
        for (r = i->at; r->next != i->at;) {
            r = r->next;
            free(r->prev);
        }
        free(i->at); // BUG
        free(i);
    }
    return 0;
}
