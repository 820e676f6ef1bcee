// test: --objects 5
// expect: walk violated spec-assert
// expect[pdr-forall]: walk unknown unsupported
//
// A walk that claims of all memory what holds of all that its own call reaches: where five nodes are
// in memory, the calls for the children see nodes beside their subtree.

#include <stddef.h>

struct node { struct node *left, *right; };

/*@ predicate five_lie_below(struct node *t) =
      \forall struct node *a, *b, *c, *d, *e;
          a != NULL && b != NULL && c != NULL && d != NULL && e != NULL &&
          a != b && a != c && a != d && a != e && b != c && b != d && b != e &&
          c != d && c != e && d != e ==> reach({left, right}, t, a); */

/*@ requires tree(left, right, t);
    ensures  tree(left, right, t); */
void walk(struct node *t)
{
    if (t == NULL)
        return;
    //@ assert five_lie_below(t); // BUG
    walk(t->left);
    walk(t->right);
}
