extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
struct n { int v; struct n *next; };

/*@ requires reach(next, a, (struct n *)0); */
void f(struct n *a)
{
    struct n **l = &a, **m = &a;

    if (a)
        l = &a->next;
    m = l;
    if (m && m != &a)
        __VERIFIER_assert(0);
}
