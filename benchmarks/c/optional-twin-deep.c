extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

/* Some items of a list have a twin of the same kind, which is in no list. */
struct item { struct item *next, *twin; };

static struct item *make(void)
{
    struct item *i = malloc(sizeof *i);

    if (!i)
        abort();
    i->next = i->twin = 0;
    return i;
}

int main(void)
{
    struct item *list = make(), *last = list, *i;

    while (__VERIFIER_nondet_int()) {
        last->next = make();
        last = last->next;
        if (__VERIFIER_nondet_int())
            last->twin = make();
        if (last->twin && __VERIFIER_nondet_int())
            last->twin->twin = make();
    }
    for (i = list; i; i = i->next)
        if (i->twin && (i->twin->next || i->twin->twin))
            reach_error(); // BUG
    while (list) {
        i = list;
        list = list->next;
        if (i->twin)
            free(i->twin);
        free(i);
    }
    return 0;
}
