// A search tree, with recursion wherever there can be, with a bug.
// expect: main violated use-after-free

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct t { int k; struct t *l, *r; };
static struct t *insert(struct t *t, int k) {
  if (t == NULL) {
    t = malloc(sizeof *t);
    t->k = k;
    t->l = t->r = NULL;
  } else if (k < t->k) {
    t->l = insert(t->l, k);
  } else if (k > t->k) {
    t->r = insert(t->r, k);
  }
  return t;
}
static int depth(struct t *t) {
  if (!t) return 0;
  int l = depth(t->l), r = depth(t->r);
  return 1 + (l > r ? l : r);
}
static void drop(struct t *t) {
  if (!t) return;
  drop(t->l);
  free(t);
  drop(t->r); // BUG
}
int main(void) {
  struct t *root = NULL;
  while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
  depth(root);
  drop(root);
  return 0;
}
