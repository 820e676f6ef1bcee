// Formulas about sets and objects: \in, \subset, \union, \inter, \diff, \empty, \set, alloc, \valid, \separated.
// test: --engine auto --objects 3
// expect: member verified
// expect: member_bug violated postcondition
// expect: part verified
// expect: part_bug violated postcondition
// expect: united verified
// expect: united_bug violated postcondition
// expect: common verified
// expect: common_bug violated postcondition
// expect: without verified
// expect: without_bug violated postcondition
// expect: none verified
// expect: none_bug violated postcondition
// expect: pair verified
// expect: pair_bug violated postcondition
// expect: made verified
// expect: made_bug violated postcondition
// expect: usable verified
// expect: usable_bug violated postcondition
// expect: apart verified
// expect: apart_bug violated postcondition

#include <stddef.h>
#include <stdlib.h>

struct node { struct node *next; };

//@ requires reach(next, h, NULL) && h != NULL; ensures \result \in content(next, h);
struct node *member(struct node *h) { return h; }

//@ requires reach(next, h, NULL); ensures \in(\result, content(next, h)); // BUG member_bug
struct node *member_bug(struct node *h) { return NULL; }

//@ requires reach(next, h, NULL); ensures \subset(content(next, \result), content(next, h));
struct node *part(struct node *h) { return h ? h->next : h; }

//@ requires reach(next, h, NULL) && reach(next, g, NULL); ensures \subset(content(next, \result), content(next, h)); // BUG part_bug
struct node *part_bug(struct node *h, struct node *g) { return g; }

//@ requires reach(next, h, NULL) && n != NULL && n->next == NULL && !reach(next, h, n); ensures content(next, \result) == \union(\old(content(next, h)), {n});
struct node *united(struct node *h, struct node *n) { n->next = h; return n; }

//@ requires reach(next, h, NULL) && n != NULL && !reach(next, h, n); ensures content(next, \result) == \union(\old(content(next, h)), {n}); // BUG united_bug
struct node *united_bug(struct node *h, struct node *n) { return n ? h : n; }

//@ requires reach(next, h, NULL) && reach(next, g, NULL); ensures \inter(content(next, h), content(next, h)) == content(next, h);
void common(struct node *h, struct node *g) { (void)h; (void)g; }

//@ requires reach(next, h, NULL) && reach(next, g, NULL); ensures \inter(content(next, h), content(next, g)) == content(next, h); // BUG common_bug
void common_bug(struct node *h, struct node *g) { (void)h; (void)g; }

//@ requires reach(next, h, NULL) && h != NULL; ensures content(next, \result) == \diff(content(next, h), {h});
struct node *without(struct node *h) { return h->next; }

//@ requires reach(next, h, NULL) && h != NULL; ensures content(next, \result) == \diff(content(next, h), {h}); // BUG without_bug
struct node *without_bug(struct node *h) { return h; }

//@ ensures content(next, \result) == \empty;
struct node *none(void) { return NULL; }

//@ requires reach(next, h, NULL); ensures content(next, h) == \empty; // BUG none_bug
void none_bug(struct node *h) { (void)h; }

//@ requires a != NULL && b != NULL; ensures a \in \set(a, b);
void pair(struct node *a, struct node *b) { (void)a; (void)b; }

//@ requires a != NULL && b != NULL && c != NULL; ensures c \in {a, b}; // BUG pair_bug
void pair_bug(struct node *a, struct node *b, struct node *c) { (void)a; (void)b; (void)c; }

//@ ensures alloc(\result);
struct node *made(void) { struct node *n = malloc(sizeof *n); n->next = NULL; return n; }

//@ requires n != NULL; ensures alloc(n); // BUG made_bug
void made_bug(struct node *n) { free(n); }

//@ requires \valid(n) && n->next == NULL; ensures \valid(n) && n->next == n;
void usable(struct node *n) { n->next = n; }

//@ requires \valid(n) && n->next == NULL; ensures \valid(n->next); // BUG usable_bug
void usable_bug(struct node *n) { n->next = NULL; }

//@ requires \separated(a, b) && a != NULL && b != NULL; ensures a != b;
void apart(struct node *a, struct node *b) { (void)a; (void)b; }

//@ requires a != NULL && b != NULL; ensures \separated(a, b); // BUG apart_bug
void apart_bug(struct node *a, struct node *b) { (void)a; (void)b; }
