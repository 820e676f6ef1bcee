#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct TNode {
    struct TNode *left;
    struct TNode *right;
    int marked;
} TNode;

static TNode *make(void)
{
    TNode *n = (TNode *)malloc(sizeof(TNode));
    if (!n)
        exit(1);
    n->left = NULL;
    n->right = NULL;
    n->marked = 0;
    return n;
}

int main(void)
{
    TNode sentinel;
    TNode *root = make(), *pred, *cur, *tmp;

    while (__VERIFIER_nondet_int()) {
        cur = root;
        while (cur->left && cur->right)
            cur = __VERIFIER_nondet_int() ? cur->left : cur->right;
        if (!cur->left && __VERIFIER_nondet_int())
            cur->left = make();
        else if (!cur->right)
            cur->right = make();
    }

    /* every pointer of the tree turns three times */
    sentinel.left = sentinel.right = NULL;
    pred = &sentinel;
    cur = root;
    while (cur != &sentinel) {
        cur->marked = 1;
        tmp = cur->left;
        cur->left = cur->right;
        cur->right = pred;
        pred = cur;
        cur = tmp;
        if (!cur) {
            cur = pred;
            pred = NULL;
        }
    }

    while (root) {
        pred = NULL;
        cur = root;
        while (cur->left || cur->right) {
            pred = cur;
            cur = cur->left ? cur->left : cur->right;
        }
        if (!pred)
            root = NULL;
        else if (pred->left == cur)
            pred->left = NULL;
        else
            pred->right = NULL;
        free(cur);
    }
    return 0;
}
