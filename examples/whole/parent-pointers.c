// A tree with parent pointers.
// expect[summaries]: main verified

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tn { struct tn *left, *right, *up; };
int main(void) {
  struct tn *root = malloc(sizeof *root); root->left = root->right = root->up = NULL;
  while (__VERIFIER_nondet_int()) {
    struct tn *p = root;
    while (p->left && p->right) { if (__VERIFIER_nondet_int()) p = p->left; else p = p->right; }
    struct tn *n = malloc(sizeof *n); n->left = n->right = NULL; n->up = p;
    if (!p->left) p->left = n; else p->right = n;
  }
  struct tn *p = root;
  while (p) {
    if (p->left) p = p->left; else if (p->right) p = p->right;
    else { struct tn *u = p->up; if (u) { if (u->left == p) u->left = NULL; else u->right = NULL; } free(p); p = u; }
  }
  return 0;
}
