// Terms and connectives: \old, \at, \result, NULL, constants, casts, sizeof, arithmetic, ?:, quantifiers, predicates.
// test: --engine auto --objects 3
// expect: advanced verified
// expect: advanced_bug violated postcondition
// expect: labelled verified
// expect: labelled_bug violated postcondition
// expect: nothing verified
// expect: nothing_bug violated postcondition
// expect[explore]: numbers safe
// expect: numbers_bug violated postcondition
// expect: casts verified
// expect: casts_bug violated postcondition
// expect: larger verified
// expect: larger_bug violated postcondition
// expect: all verified
// expect: all_bug violated postcondition
// expect: some verified
// expect: some_bug violated postcondition
// expect: either verified
// expect: either_bug violated postcondition
// expect: named verified
// expect: named_bug violated postcondition
// expect: open verified
// expect: open_bug violated postcondition

#include <stddef.h>

struct node { struct node *next; int data; };
enum colour { RED, GREEN };

//@ predicate marked(struct node *x) = x != NULL && x->data == 1;
//@ predicate Special(struct node *v);

//@ requires h != NULL && reach(next, h, NULL); ensures \result == \old(h->next);
struct node *advanced(struct node *h) { return h->next; }

//@ requires h != NULL && reach(next, h, NULL); ensures \result == \old(h->next); // BUG advanced_bug
struct node *advanced_bug(struct node *h) { return h; }

//@ requires h != NULL && reach(next, h, NULL); ensures \at(h->data, Here) == \at(h->data, Pre);
void labelled(struct node *h) { h->next = h->next; }

//@ requires h != NULL; ensures \at(h->data, Here) == \at(h->data, Pre); // BUG labelled_bug
void labelled_bug(struct node *h) { h->data++; }

//@ ensures \result == \null && \true && !\false;
struct node *nothing(void) { return NULL; }

//@ requires \true; ensures \result == 0; // BUG nothing_bug
struct node *nothing_bug(struct node *h) { return h; }

//@ requires 0 <= n < 4; ensures \result == (n * 2 + 1) % 3 - n / 2;
int numbers(int n) { return (n * 2 + 1) % 3 - n / 2; }

//@ requires 0 <= n < 0x4; ensures \result != 'a' - 052; // BUG numbers_bug
int numbers_bug(int n) { return 'a' - 42 + n; }

//@ requires h != NULL; ensures (struct node *)\result == h && sizeof(struct node) == 16;
void *casts(struct node *h) { return h; }

//@ requires h != NULL; ensures \result == RED; // BUG casts_bug
int casts_bug(struct node *h) { return GREEN; }

//@ ensures \result == (a > b ? a : b);
int larger(int a, int b) { return a > b ? a : b; }

//@ ensures \result == (a > b ? a : b); // BUG larger_bug
int larger_bug(int a, int b) { return a < b ? a : b; }

/*@ requires reach(next, h, NULL);
    ensures  \forall struct node *v; reach(next, h, v) && v != NULL ==> v->data == 0; */
void all(struct node *h) { for (; h; h = h->next) h->data = 0; }

/*@ requires reach(next, h, NULL);
    ensures  \forall struct node *v; reach(next, h, v) && v != NULL ==> v->data == 0; */ // BUG all_bug
void all_bug(struct node *h) { if (h) h->data = 0; }

/*@ requires h != NULL && reach(next, h, NULL);
    ensures  \exists struct node *v; reach(next, h, v) && v->data == 7; */
void some(struct node *h) { h->data = 7; }

/*@ requires reach(next, h, NULL);
    ensures  \exists struct node *v; reach(next, h, v) && v->data == 7; */ // BUG some_bug
void some_bug(struct node *h) { if (h) h->data = 7; }

//@ ensures \result != 0 <==> a == b || a == 3;
int either(int a, int b) { return a == b || a == 3; }

//@ ensures \result != 0 <==> a == b && a == 3; // BUG either_bug
int either_bug(int a, int b) { return a == b || a == 3; }

//@ requires h != NULL; ensures marked(h);
void named(struct node *h) { h->data = 1; }

//@ requires h != NULL; ensures marked(h); // BUG named_bug
void named_bug(struct node *h) { h->data = 2; }

//@ assigns \nothing; ensures \result != 0 <==> Special(v);
int is_special(struct node *v);

//@ requires reach(next, h, NULL); ensures \result == NULL || Special(\result);
struct node *open(struct node *h)
{
    while (h && !is_special(h))
        h = h->next;
    return h;
}

//@ requires reach(next, h, NULL); ensures \result == NULL || Special(\result); // BUG open_bug
struct node *open_bug(struct node *h)
{
    while (h && is_special(h))
        h = h->next;
    return h;
}
