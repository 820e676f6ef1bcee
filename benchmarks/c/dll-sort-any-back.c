extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

/* The items of a doubly linked list are moved to places of another one. */
struct item { struct item *next, *prev; int key; };

int main(void)
{
    struct item *from = 0, *to = 0, *i, *at, *before;

    while (__VERIFIER_nondet_int()) {
        i = malloc(sizeof *i);
        if (!i)
            abort();
        i->key = __VERIFIER_nondet_int();
        i->prev = 0;
        i->next = from;
        if (from)
            from->prev = i;
        from = i;
    }
    while (from) {
        i = from;
        from = from->next;
        if (from)
            from->prev = 0;
        before = 0;
        for (at = to; at && at->key < i->key; at = at->next)
            before = at;
        i->prev = before;
        i->next = at;
        if (before)
            before->next = i;
        else
            to = i;
    }
    while (to) {
        i = to;
        to = to->next;
        if (to && to->prev != i)
            reach_error(); // BUG
        free(i);
    }
    return 0;
}
