// Formulas about lists: reach, reach1, ls, stable, dll, rev, sorted, cyclic, content.
// test: --engine auto
// expect: reached verified
// expect: reached_bug violated postcondition
// expect: stepped verified
// expect: stepped_bug violated postcondition
// expect: segment verified
// expect: segment_bug violated postcondition
// expect: there verified
// expect: there_bug violated postcondition
// expect: both_ways verified
// expect: both_ways_bug violated postcondition
// expect: reversed verified
// expect: reversed_bug violated postcondition
// expect: ordered verified
// expect: ordered_bug violated postcondition
// expect: ring verified
// expect: ring_bug violated postcondition
// expect: same verified
// expect: same_bug violated postcondition

#include <stddef.h>
#include <stdlib.h>

struct node { struct node *next, *prev; int data; };

//@ requires reach(next, h, NULL); ensures reach(next, h, \result);
struct node *reached(struct node *h) { return h ? h->next : h; }

//@ requires reach(next, h, NULL) && reach(next, g, NULL); ensures reach(next, h, \result); // BUG reached_bug
struct node *reached_bug(struct node *h, struct node *g) { return g; }

//@ requires h != NULL && reach(next, h, NULL); ensures reach1(next, h, \result);
struct node *stepped(struct node *h) { return h->next; }

//@ requires h != NULL && reach(next, h, NULL); ensures reach1(next, h, \result); // BUG stepped_bug
struct node *stepped_bug(struct node *h) { return h; }

//@ requires h != NULL && ls(next, h, NULL); ensures ls(next, h, h->next);
void segment(struct node *h) { h->data = 0; }

//@ requires ls(next, h, NULL) && h != NULL; ensures ls(next, h, NULL); // BUG segment_bug
void segment_bug(struct node *h) { h->next = h; }

//@ requires reach(next, h, NULL); ensures stable(next, h);
void there(struct node *h) { if (h) h->data = 0; }

//@ requires reach(next, h, NULL) && h != NULL && h->next != NULL; ensures stable(next, h); // BUG there_bug
void there_bug(struct node *h) { free(h->next); }

//@ requires dll(next, prev, h, NULL); ensures dll(next, prev, h, NULL);
void both_ways(struct node *h) { if (h) h->data = 1; }

//@ requires dll(next, prev, h, NULL) && h != NULL && h->next != NULL; ensures dll(next, prev, h, NULL); // BUG both_ways_bug
void both_ways_bug(struct node *h) { h->next->prev = NULL; }

//@ requires dll(next, prev, h, NULL); ensures rev(next, prev, h, NULL);
void reversed(struct node *h) { if (h) h->data = 1; }

//@ requires dll(next, prev, h, NULL) && h != NULL && h->next != NULL; ensures rev(next, prev, h, NULL); // BUG reversed_bug
void reversed_bug(struct node *h) { h->next->prev = NULL; }

//@ requires sorted(next, data, h, NULL) && ls(next, h, NULL); ensures sorted(next, data, \result, NULL);
struct node *ordered(struct node *h) { return h ? h->next : NULL; }

//@ requires sorted(next, data, h, NULL) && ls(next, h, NULL) && h != NULL; ensures sorted(next, data, h, NULL); // BUG ordered_bug
void ordered_bug(struct node *h) { h->data = 9; }

//@ requires cyclic(next, h); ensures cyclic(next, \result);
struct node *ring(struct node *h) { return h->next; }

//@ requires cyclic(next, h); ensures cyclic(next, h); // BUG ring_bug
void ring_bug(struct node *h) { h->next = NULL; }

//@ requires reach(next, h, NULL); ensures content(next, \result) == \old(content(next, h));
struct node *same(struct node *h) { return h; }

//@ requires reach(next, h, NULL); ensures content(next, \result) == \old(content(next, h)); // BUG same_bug
struct node *same_bug(struct node *h) { return h ? h->next : h; }
