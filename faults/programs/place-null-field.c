struct n { int v; struct n *next; };

/*@ requires reach(next, a, (struct n *)0); */
void f(struct n *a)
{
    struct n **l = &a->next;

    if (l)
        l = &a;
    *l = a;
}
