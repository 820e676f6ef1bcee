// A search tree, destroyed leaf by leaf.
// expect[summaries]: main verified

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tn { struct tn *left, *right; int k; };
int main(void) {
  struct tn *root = NULL;
  while (__VERIFIER_nondet_int()) {
    struct tn *n = malloc(sizeof *n);
    n->left = n->right = NULL; n->k = __VERIFIER_nondet_int();
    if (!root) { root = n; continue; }
    struct tn *p = root;
    for (;;) {
      if (n->k < p->k) { if (!p->left) { p->left = n; break; } p = p->left; }
      else { if (!p->right) { p->right = n; break; } p = p->right; }
    }
  }
  while (root) {
    struct tn *p = root, *par = NULL;
    while (p->left || p->right) { par = p; p = p->left ? p->left : p->right; }
    if (!par) root = NULL; else if (par->left == p) par->left = NULL; else par->right = NULL;
    free(p);
  }
  return 0;
}
