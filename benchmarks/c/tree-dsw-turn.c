#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *l, *r; int mark; };

/* Deutsch, Schorr and Waite: marks a tree without a stack. */
static void mark_all(struct node *root)
{
    struct node *prev = NULL, *cur = root, *next;
    while (cur) {
        cur->mark = 1;
        next = cur->l;
        cur->l = cur->r;
        cur->r = prev;
        prev = cur;
        cur = next;
        if (!cur) {
            cur = prev;
            prev = NULL;
            break;
        }
    }
    /* what was turned is turned back */
    while (cur) {
        next = cur->r;
        cur->l = prev;
        prev = cur;
        cur = next;
    }
}

int main(void)
{
    struct node *root = NULL, *n;

    /* a left spine with single right leaves */
    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        if (!n)
            abort();
        n->mark = 0;
        n->l = root;
        n->r = NULL;
        if (__VERIFIER_nondet_int()) {
            n->r = malloc(sizeof *n);
            if (!n->r)
                abort();
            n->r->l = n->r->r = NULL;
            n->r->mark = 0;
        }
        root = n;
    }
    mark_all(root);
    while (root) {
        n = root;
        root = root->l;
        if (n->r)
            free(n->r);
        free(n);
    }
    return 0; // BUG
}
