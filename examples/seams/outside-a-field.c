// A pointer to where a struct would begin whose member this is: nothing is reached from there.
// expect: not_a_list violated postcondition
// expect: reaches_nothing safe
// expect[pdr-forall]: not_a_list violated postcondition
// expect[pdr-forall]: reaches_nothing verified
// expect[pdr-forall]: beside_a_local verified

struct pair { int x; unsigned long y; };
struct node { struct node *next; int key; struct pair in; };

static struct pair g;

//@ requires reach(next, a, NULL); ensures reach(next, \result, NULL); // BUG not_a_list
struct node *not_a_list(struct node *a)
{
    struct pair *e = &g;
    return (struct node *)((char *)e - 16);
}

//@ requires reach(next, a, NULL); ensures !reach(next, \result, a);
struct node *reaches_nothing(struct node *a)
{
    struct pair *e = &g;
    return (struct node *)((char *)e - 16);
}

//@ requires reach(next, a, NULL); ensures \subset(content(next, \result), \old(content(next, a)));
struct node *beside_a_local(struct node *a)
{
    struct node *p = 0;
    struct node *r = 0;
    struct pair c = { 1, 2 };
    struct pair *e = &c;
    while (p)
        p = p->next;
    return r;
}
