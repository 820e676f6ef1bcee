// Ways through a procedure.
// test: --engine pdr-forall
// expect: into_loop verified
// expect: into_loop_bug violated null-deref
// expect: at_least_once violated null-deref
// expect: twice_nested verified
// expect: falls violated assertion
// expect: both_arms violated null-deref
// expect: freed_in_walk violated use-after-free
// expect: half_set verified
// expect: half_set_bug violated uninit

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int data; };

//@ requires reach(next, h, NULL) && h != NULL;
void into_loop(struct node *h)
{
    struct node *n = h;
    goto in;
    while (n) {
        n->data = 2;
    in:
        n = n->next;
    }
}

//@ requires reach(next, h, NULL) && h != NULL;
void into_loop_bug(struct node *h)
{
    struct node *n = h;
    goto in;
    while (n) {
        n = n->next;
    in:
        n->data = 1; // BUG into_loop_bug
    }
}

//@ requires reach(next, h, NULL);
void at_least_once(struct node *h)
{
    do {
        h = h->next; // BUG at_least_once
    } while (h);
}

//@ requires reach(next, h, NULL);
void twice_nested(struct node *h)
{
    for (struct node *a = h; a; a = a->next)
        for (struct node *b = a; b; b = b->next)
            b->data = a->data;
}

int falls(int x)
{
    int r = 0;
    switch (x) {
    case 1:
        r = 1;
    case 2:
        r += 2;
        break;
    default:
        r = 9;
    }
    assert(r != 3); // BUG falls
    return r;
}

//@ requires reach(next, h, NULL);
int both_arms(struct node *h)
{
    if ((h == NULL) & (h->next == NULL)) // BUG both_arms
        return 1;
    return 0;
}

//@ requires reach(next, h, NULL);
void freed_in_walk(struct node *h)
{
    while (h) {
        free(h);
        h = h->next; // BUG freed_in_walk
    }
}

int half_set(int c)
{
    int x;
    if (c)
        x = 1;
    if (c && x)
        return 1;
    return 0;
}

int half_set_bug(int c)
{
    int x;
    if (c)
        x = 1;
    if (x) // BUG half_set_bug
        return 1;
    return 0;
}
