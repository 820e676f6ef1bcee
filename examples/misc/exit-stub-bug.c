// Competition style: a goto into the clean-up skips the node that was made last.
// expect: main violated leak

extern void *malloc(unsigned long size);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

void stuck(void)
{
_EXIT: goto _EXIT;
}

struct cons { struct cons *cdr; int car; };

int main(void)
{
    struct cons *l = 0, *c;
    int k = 0;

more:
    c = malloc(sizeof(struct cons));
    if (!c)
        stuck();
    c->car = k;
    c->cdr = l;
    l = c;
    k = k + 1;
    if (k < 3 && __VERIFIER_nondet_int())
        goto more;
    if (l->car != k - 1)
        __VERIFIER_error();
    l = l->cdr;
    if (!l)
        goto done;
drop:
    c = l->cdr;
    free(l);
    l = c;
    if (l)
        goto drop;
done:
    return 0; // BUG
}
