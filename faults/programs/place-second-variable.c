extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
struct n { int v; struct n *next; };

/*@ requires reach(next, a, (struct n *)0) && reach(next, b, (struct n *)0); */
void f(struct n *a, struct n *b)
{
    struct n **l = __VERIFIER_nondet_int() ? &a : &b;

    *l = (struct n *)0;
    __VERIFIER_assert(a == (struct n *)0);
}
