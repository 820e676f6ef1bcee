// The clauses of contracts: requires, ensures, assigns, behaviors, invariants, assertions, ghosts.
// test: --engine auto
// expect: length verified
// expect: forgets violated postcondition
// expect: touches violated assigns
// expect: caller violated precondition
// expect: sign verified
// expect: sign_bug violated postcondition
// expect: last verified
// expect: last_bug violated loop-invariant
// expect: second verified
// expect: second_bug violated spec-assert

#include <stddef.h>

struct node { struct node *next; int data; };

/*@ requires reach(next, h, NULL);
    assigns  \nothing;
    ensures  \result >= 0 || \result < 0; */
int length(struct node *h)
{
    int n = 0;
    for (; h; h = h->next)
        n++;
    return n;
}

/*@ requires reach(next, h, NULL);
    ensures  \result == h; */ // BUG forgets
struct node *forgets(struct node *h)
{
    return h ? h->next : NULL;
}

/*@ requires h != NULL;
    assigns  h->data; */ // BUG touches
void touches(struct node *h)
{
    h->next = NULL;
}

void caller(void)
{
    touches(NULL); // BUG caller
}

/*@ behavior positive: assumes x > 0;
                       ensures \result == 1;
    behavior other:    assumes x <= 0;
                       ensures \result == 0; */
int sign(int x)
{
    return x > 0;
}

/*@ behavior positive: assumes x > 0;
                       ensures \result == 1; */ // BUG sign_bug
int sign_bug(int x)
{
    return x > 1;
}

/*@ requires h != NULL && reach(next, h, NULL);
    ensures  \result->next == NULL; */
struct node *last(struct node *h)
{
    //@ loop invariant h != NULL;
    //@ loop assigns h;
    //@ loop variant 0;
    while (h->next)
        h = h->next;
    return h;
}

/*@ requires h != NULL && reach(next, h, NULL); */
struct node *last_bug(struct node *h)
{
    //@ loop invariant h->next != NULL; // BUG last_bug
    while (h->next)
        h = h->next;
    return h;
}

/*@ requires h != NULL && reach(next, h, NULL); */
struct node *second(struct node *h)
{
    //@ ghost struct node *first = h;
    h = h->next;
    //@ assert first->next == h;
    return h;
}

/*@ requires h != NULL && reach(next, h, NULL); */
struct node *second_bug(struct node *h)
{
    //@ ghost struct node *first = h;
    h = h->next;
    //@ assert first == h; // BUG second_bug
    return h;
}
