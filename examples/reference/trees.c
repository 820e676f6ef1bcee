// Formulas about trees: reach over several fields, tree.
// test: --engine auto
// expect: below verified
// expect: below_bug violated postcondition
// expect: kept verified
// expect: kept_bug violated postcondition

#include <stddef.h>

struct node { struct node *left, *right; int key; };

//@ requires tree(left, right, t) && t != NULL && t->left != NULL; ensures reach({left, right}, t, \result);
struct node *below(struct node *t) { return t->left; }

//@ requires tree(left, right, t) && t != NULL; ensures reach({left, right}, t, \result); // BUG below_bug
struct node *below_bug(struct node *t) { return t->left; }

//@ requires tree(left, right, t); ensures tree(left, right, t);
void kept(struct node *t) { if (t) t->key = 0; }

//@ requires tree(left, right, t) && t != NULL && t->right == NULL; ensures tree(left, right, t); // BUG kept_bug
void kept_bug(struct node *t) { t->right = t->left; }
