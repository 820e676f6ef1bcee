// Recursive size and mirror with contracts.
// expect: size safe
// expect: mirror safe

#include <stddef.h>

struct bt { struct bt *l, *r; };

/*@ predicate small_tree(struct bt *t) = t == NULL ||
      (t->l != t && t->r != t &&
       (t->l == NULL || (t->l->l == NULL && t->l->r == NULL)) &&
       (t->r == NULL || (t->r->l == NULL && t->r->r == NULL))); */

/*@ requires small_tree(t);
    assigns  \nothing;
    ensures  \result >= 0 && (\result == 0 <==> t == NULL);
    ensures  \result <= 3; */
int size(struct bt *t)
{
    return t ? 1 + size(t->l) + size(t->r) : 0;
}

/*@ requires small_tree(t) && (t == NULL || t->l == NULL || t->l != t->r);
    ensures  t != NULL ==> t->l == \old(t->r) && t->r == \old(t->l); */
void mirror(struct bt *t)
{
    struct bt *x;
    if (t == NULL)
        return;
    mirror(t->l);
    mirror(t->r);
    x = t->l;
    t->l = t->r;
    t->r = x;
}
