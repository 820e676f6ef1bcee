extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

struct l1 { struct l1 *n1; };
struct l2 { struct l2 *n2; struct l1 *d1; };
struct l3 { struct l3 *n3; struct l2 *d2; };

static void add1(struct l2 *x)
{
    struct l1 *p = malloc(sizeof *p);
    p->n1 = x->d1;
    x->d1 = p;
}

static void add2(struct l3 *x)
{
    struct l2 *p = malloc(sizeof *p);
    p->d1 = 0;
    while (__VERIFIER_nondet_int())
        add1(p);
    p->n2 = x->d2;
    x->d2 = p;
}

static struct l3 *build(void)
{
    struct l3 *l = 0;
    while (__VERIFIER_nondet_int()) {
        struct l3 *p = malloc(sizeof *p);
        p->d2 = 0;
        while (__VERIFIER_nondet_int())
            add2(p);
        p->n3 = l;
        l = p;
    }
    return l;
}

static void destroy1(struct l1 *l)
{
    while (l) { struct l1 *n = l->n1; free(l); l = n; }
}

static void destroy2(struct l2 *l)
{
    while (l) { struct l2 *n = l->n2; destroy1(l->d1); free(l); l = n; }
}

int main(void)
{
    struct l3 *l = build();
    while (l) {
        struct l3 *n = l->n3;
        destroy2(l->d2);
        free(l);
        l = n;
    }
    return 0;
}
