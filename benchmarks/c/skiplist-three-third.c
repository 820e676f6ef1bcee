extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

struct N { struct N *n1, *n2, *n3; };

static struct N *mk(void)
{
    struct N *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->n1 = n->n2 = n->n3 = 0;
    return n;
}

int main(void)
{
    struct N *head = mk(), *tail = mk(), *x3, *x2, *x1, *x;

    head->n1 = head->n2 = head->n3 = tail;
    while (__VERIFIER_nondet_int()) {
        x3 = head;
        while (x3->n3 != tail && __VERIFIER_nondet_int())
            x3 = x3->n3;
        x2 = x3;
        while (x2->n2 != x3->n3 && __VERIFIER_nondet_int())
            x2 = x2->n2;
        x1 = x2;
        while (x1->n1 != x2->n2 && __VERIFIER_nondet_int())
            x1 = x1->n1;
        x = mk();
        x->n1 = x1->n1;
        if (__VERIFIER_nondet_int())
            x1->n1 = x; // BUG
        else if (__VERIFIER_nondet_int()) {
            x->n2 = x2->n2;
            x2->n2 = x;
            if (__VERIFIER_nondet_int()) {
                x->n3 = x3->n3;
                x3->n3 = x;
            }
        }
    }
    x = head;
    while (x != 0) {
        x1 = x->n1;
        free(x);
        x = x1;
    }
    return 0; // BUG
}
