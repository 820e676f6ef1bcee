extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
struct n { int v; struct n *next; };

/*@ requires reach(next, a, (struct n *)0) && reach(next, b, (struct n *)0); */
void f(struct n *a, struct n *b)
{
    if (a && b) {
        struct n **l = &a->next, **m = &b->next;

        __VERIFIER_assert(l == m);
    }
}
