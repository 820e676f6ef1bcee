struct n { int v; struct n *next; };

/*@ requires reach(next, a, (struct n *)0); */
struct n *f(struct n *a)
{
    struct n **l = &a;

    {
        struct n *x = a;

        l = &x;
    }
    return *l;
}
