// Two names of one place.
// test: --engine pdr-forall
// expect: same_node violated assertion
// expect: shared_tail violated use-after-free
// expect: apart verified
// expect: next_of_other violated assertion
// expect: inner violated assertion
// expect: header violated use-after-free
// expect: self_append violated postcondition

#include <assert.h>
#include <stdlib.h>

struct node { struct node *next; int data; };
struct in { int a; };
struct out { int k; struct in i; };
struct head { struct head *n; int kind; };
struct object { struct head h; int k; };

//@ requires reach(next, a, NULL) && reach(next, b, NULL) && a != NULL && b != NULL;
void same_node(struct node *a, struct node *b)
{
    a->data = 1;
    b->data = 2;
    assert(a->data == 1); // BUG same_node
}

//@ requires reach(next, a, NULL) && reach(next, b, NULL);
void shared_tail(struct node *a, struct node *b)
{
    while (a) {
        struct node *n = a->next;
        free(a);
        a = n;
    }
    while (b) {
        b->data = 1; // BUG shared_tail
        b = b->next;
    }
}

/*@ requires reach(next, a, NULL) && reach(next, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v); */
void apart(struct node *a, struct node *b)
{
    while (a) {
        struct node *n = a->next;
        free(a);
        a = n;
    }
    while (b) {
        b->data = 1;
        b = b->next;
    }
}

//@ requires reach(next, a, NULL) && reach(next, b, NULL) && \separated(a, b);
void next_of_other(struct node *a, struct node *b)
{
    if (a && b && b->next) {
        a->data = 1;
        b->next->data = 2;
        assert(a->data == 1); // BUG next_of_other
    }
}

void inner(struct out *o, struct in *i)
{
    if (o && i) {
        o->i.a = 1;
        i->a = 2;
        assert(o->i.a == 1); // BUG inner
    }
}

//@ requires o != NULL && i != NULL && reach(n, &o->h, NULL) && reach(n, i, NULL);
void header(struct object *o, struct head *i)
{
    free(i);
    o->k = 1; // BUG header
}

/*@ requires reach(next, a, NULL) && reach(next, b, NULL) && a != NULL;
    ensures  a != b ==> reach(next, b, NULL) && a->next != b; // BUG self_append
*/
void self_append(struct node *a, struct node *b)
{
    struct node *t = a;
    if (b && b->next == NULL && a->next == NULL && a != b)
        t->next = b;
}
