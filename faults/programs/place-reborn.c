extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
struct n { int v; struct n *next; };

/*@ requires reach(next, a, (struct n *)0); */
void f(struct n *a)
{
    int seen = 0;

    for (int i = 0; i < 2; i++) {
        struct n *x, **l = &x;

        if (i == 0)
            *l = a;
        if (x == a)
            seen = 1;
    }
}
