// Predicates that are defined by themselves mean the least relation that is as they say. The machine
// and exploration follow them; engines that prove know those that only walk along a field, and refuse
// the others with the place.
// expect: main safe
// expect: reversed safe
// expect: kept_length safe
// expect: not_longer violated postcondition
// expect: ring safe
// expect: a_ring_is_no_list violated postcondition
// expect: inserted safe
// expect: unordered violated postcondition
// expect: depth_of_both safe
// expect[pdr-forall]: kept_length unsupported
// expect[pdr-forall]: reversed verified
// expect[sll]: reversed unsupported
// expect[canonical]: reversed verified
// expect[proveit]: depth_of_both unsupported
// expect[bohne]: inserted unsupported

#include <stdlib.h>

struct node {
  struct node *next;
  int key;
};

struct tree {
  struct tree *left, *right;
  int key;
};

//@ predicate list(struct node *x) = x == \null || (\valid(x) && list(x->next));
//@ predicate length(struct node *x, int n) = x == \null ? n == 0 : n > 0 && length(x->next, n - 1);
/*@ predicate between(struct tree *t, int low, int high) =
      t == \null || (low <= t->key && t->key <= high
        && between(t->left, low, t->key) && between(t->right, t->key, high)); */
/*@ predicate depth(struct tree *t, int d) =
      d >= 0 && (t == \null || (depth(t->left, d - 1) && depth(t->right, d - 1))); */

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
    ensures \forall int n; \old(length(x, n)) ==> length(x, n); */
void kept_length(struct node *x) {
  x->key = 1;
}

/*@ requires list(x);
    ensures \forall int n; \old(length(x, n)) ==> length(\result, n); */ // BUG not_longer
struct node *not_longer(struct node *x) {
  struct node *n = malloc(sizeof *n);
  n->next = x;
  n->key = 0;
  return n;
}

/*@ requires x != \null && x->next == x;
    ensures !list(x); */
void ring(struct node *x) {
  x->key = 0;
}

/*@ requires x != \null;
    ensures list(x); */ // BUG a_ring_is_no_list
void a_ring_is_no_list(struct node *x) {
  x->next = x;
}

/*@ requires tree(left, right, t) && between(t, 0, 2) && depth(t, 2);
    requires 0 <= key && key <= 2;
    ensures between(\result, 0, 2); */
struct tree *inserted(struct tree *t, int key) {
  struct tree *n = malloc(sizeof *n), **at = &t;
  n->left = n->right = NULL;
  n->key = key;
  while (*at)
    at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  *at = n;
  return t;
}

/*@ requires tree(left, right, t) && between(t, 0, 2) && depth(t, 2);
    requires 0 <= key && key <= 2;
    ensures between(\result, 0, 2); */ // BUG unordered
struct tree *unordered(struct tree *t, int key) {
  struct tree *n = malloc(sizeof *n);
  n->left = t;
  n->right = NULL;
  n->key = key;
  return n;
}

/*@ requires depth(a, 1) && depth(b, 1);
    ensures depth(\result, 2); */
struct tree *depth_of_both(struct tree *a, struct tree *b) {
  struct tree *n = malloc(sizeof *n);
  n->left = a;
  n->right = b;
  n->key = 0;
  return n;
}

int main(void) {
  struct node *x = NULL;
  for (int i = 0; i < 300; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = x;
    n->key = i;
    x = n;
  }
  //@ assert list(x) && length(x, 300) && !length(x, 299);
  while (x) {
    struct node *next = x->next;
    free(x);
    x = next;
  }
  return 0;
}
