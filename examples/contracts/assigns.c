// What `assigns` allows: places of the entry, new memory, and what is put back.
// test: --engine pdr-forall
// expect: mark_last verified
// expect: clear_marked verified
// expect: reverse verified
// expect: put_back verified
// expect: push verified
// expect: swap_values verified
// expect: second verified
// expect: segment verified
// expect: whole verified

#include <stdlib.h>

struct node {
    struct node *next;
    int key;
    int mark;
};

/*@ requires reach(next, h, NULL) && h != NULL;
    assigns  { v->mark | struct node *v; reach(next, h, v) }; */
void mark_last(struct node *h)
{
    while (h->next)
        h = h->next;
    h->mark = 1;
}

/*@ requires reach(next, h, NULL);
    assigns  { v->mark | struct node *v; reach(next, h, v) && v->mark != 0 }; */
void clear_marked(struct node *h)
{
    for (; h; h = h->next)
        if (h->mark)
            h->mark = 0;
}

/*@ requires reach(next, h, NULL) && reach(next, other, NULL);
    requires \forall struct node *v; v != NULL && reach(next, h, v) ==> !reach(next, other, v);
    assigns  { v->next | struct node *v; reach(next, h, v) }; */
struct node *reverse(struct node *h, struct node *other)
{
    struct node *r = NULL;
    while (h) {
        struct node *t = h->next;
        h->next = r;
        r = h;
        h = t;
    }
    return r;
}

/*@ requires h != NULL && reach(next, h, NULL);
    assigns  \nothing; */
void put_back(struct node *h)
{
    struct node *n = h->next;
    h->next = NULL;
    h->next = n;
}

/*@ requires reach(next, h, NULL);
    assigns  \nothing; */
struct node *push(struct node *h)
{
    struct node *n = malloc(sizeof *n);
    n->next = h;
    n->key = 5;
    n->mark = 0;
    return n;
}

/*@ requires a != NULL && b != NULL && reach(next, a, NULL) && reach(next, b, NULL);
    assigns  a->key, b->key;
    ensures  a->key == \old(b->key) && b->key == \old(a->key); */
void swap_values(struct node *a, struct node *b)
{
    int k = a->key;
    a->key = b->key;
    b->key = k;
}

/*@ requires reach(next, h, NULL);
    assigns  h->next->key; */
void second(struct node *h)
{
    if (h && h->next)
        h->next->key = 2;
}

/*@ requires ls(next, h, NULL);
    assigns  { v->key | struct node *v; ls(next, h, v) }; */
void segment(struct node *h)
{
    for (; h; h = h->next)
        h->key = 0;
}

/*@ requires h != NULL && reach(next, h, NULL);
    assigns  h->mark; */
void whole(struct node *h)
{
    struct node copy = *h;
    copy.mark = 3;
    *h = copy;
}
