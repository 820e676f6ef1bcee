#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct pt {
    struct pt *left, *right, *parent;
};

static struct pt *grow(struct pt *parent)
{
    struct pt *p = malloc(sizeof *p);
    if (p == NULL)
        abort();
    p->left = p->right = NULL;
    p->parent = parent;
    return p;
}

int main(void)
{
    struct pt *root = grow(NULL), *p;

    /* wander up and down, grow where something is missing */
    p = root;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (p->parent)
                p = p->parent;
        } else if (__VERIFIER_nondet_int()) {
            if (!p->left)
                p->left = grow(p);
            p = p->left;
        } else {
            if (!p->right)
                p->right = grow(p);
            p = p->right;
        }
        assert(p == root || p->parent->left == p || p->parent->right == p);
    }
    /* destroy from the leaves, by the parent pointers */
    p = root;
    while (p) {
        if (p->left) // BUG
            p = p->left;
        else if (p->right)
            p = p->right;
        else {
            struct pt *up = p->parent;
            if (up) {
                if (up->left == p)
                    up->left = NULL;
                else if (up == root)
                    up->right = NULL;
            }
            free(p);
            p = up;
        }
    }
    return 0;
}
