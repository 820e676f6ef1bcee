// A predicate that is defined by itself and only walks along a field is reachability: engines that
// prove read it so, the machine goes by the definition.
// test: --objects 3
// expect: same safe
// expect: same_of_freed safe
// expect: same_by_alloc safe
// expect: reversed safe
// expect: last violated postcondition
// expect[pdr-forall]: same verified
// expect[pdr-forall]: same_by_alloc verified
// expect[pdr-forall]: reversed verified
// expect[pdr-forall]: last violated postcondition
// expect[auto]: reversed verified

#include <stdlib.h>

struct node {
  int key;
  struct node *next;
};

//@ predicate list(struct node *x) = x == \null || (\valid(x) && list(x->next));
//@ predicate chain(struct node *x) = \null == x || (alloc(x) && chain(x->next));

/*@ ensures list(x) <==> reach(next, x, \null); */
void same(struct node *x) {}

/*@ requires x != \null && y != \null && y->next == \null;
    ensures list(x) <==> reach(next, x, \null); */
void same_of_freed(struct node *x, struct node *y) {
  free(y);
}

/*@ requires list(x);
    ensures chain(x); */
void same_by_alloc(struct node *x) {}

/*@ requires list(x);
    ensures list(\result); */
struct node *reversed(struct node *x) {
  struct node *done = NULL;
  while (x) {
    struct node *next = x->next;
    x->next = done;
    done = x;
    x = next;
  }
  return done;
}

/*@ requires list(x) && x != \null;
    ensures list(x); */ // BUG last
void last(struct node *x) {
  struct node *first = x;
  while (x->next)
    x = x->next;
  x->next = first;
}
