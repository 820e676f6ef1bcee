#include <stdlib.h>

int __VERIFIER_nondet_int(void);

typedef struct bst {
    int key;
    struct bst *l, *r;
} bst;

static bst *insert(bst *t, int key)
{
    bst *n = malloc(sizeof(bst)), *p = t;
    if (n == NULL)
        abort();
    n->key = key;
    n->l = n->r = NULL;
    if (t == NULL)
        return n;
    for (;;) {
        if (key == p->key) {
            free(n);
            return t;
        }
        if (key < p->key) {
            if (p->l == NULL) {
                p->l = n;
                return t;
            }
            p = p->l;
        } else {
            if (p->r == NULL) {
                p->r = n;
                return t;
            }
            p = p->r;
        }
    }
}

static void destroy(bst *t)
{
    if (t == NULL)
        return;
    destroy(t->l);
    destroy(t->r);
    free(t);
}

int main(void)
{
    bst *t = NULL;
    while (__VERIFIER_nondet_int())
        t = insert(t, __VERIFIER_nondet_int());
    destroy(t);
    return 0;
}
