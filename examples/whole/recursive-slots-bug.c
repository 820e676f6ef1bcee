// A search tree built through pointers to pointers, by recursion, with a bug.
// expect: main violated leak

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct t { int k; struct t *l, *r; };
static void insert(struct t **at, int k) {
  if (*at == NULL) {
    *at = malloc(sizeof **at);
    (*at)->k = k;
    (*at)->l = (*at)->r = NULL;
    return;
  }
  insert(k < (*at)->k ? &(*at)->l : &(*at)->r, k);
}
static void drop(struct t **at) {
  if (*at == NULL) return;
  drop(&(*at)->l);
  drop(&(*at)->l);
  free(*at);
  *at = NULL;
}
int main(void) {
  struct t *root = NULL;
  while (__VERIFIER_nondet_int()) insert(&root, __VERIFIER_nondet_int());
  drop(&root);
  if (root != NULL) root->k = 1;
  return 0; // BUG
}
