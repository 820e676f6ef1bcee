// Marks all nodes of a tree by pointer reversal (Deutsch, Schorr and Waite).
// test: --objects 3
// expect: mark safe

#include <stddef.h>

struct node { struct node *l, *r; _Bool marked, right; };

/*@ requires tree(l, r, root);
    requires \forall struct node *v; reach({l, r}, root, v) ==> v->marked == 0 && v->right == 0; */
void mark(struct node *root)
{
    struct node *t = root, *p = NULL, *q;

    while (p != NULL || (t != NULL && !t->marked)) {
        if (t == NULL || t->marked) {
            if (p->right) {
                q = t;
                t = p;
                p = p->r;
                t->r = q;
            } else {
                q = t;
                t = p->r;
                p->r = p->l;
                p->l = q;
                p->right = 1;
            }
        } else {
            q = p;
            p = t;
            t = t->l;
            p->l = q;
            p->marked = 1;
            p->right = 0;
        }
    }
}
