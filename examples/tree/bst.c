// Binary search tree: insert, look up, free. Whole program.
// expect: main safe

#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->left = t->right = NULL;
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}

static int contains(const struct tree *t, int key)
{
    while (t != NULL && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t != NULL;
}

static int ordered(const struct tree *t, int lo, int hi)
{
    return t == NULL
        || (lo <= t->key && t->key <= hi && ordered(t->left, lo, t->key - 1)
            && ordered(t->right, t->key + 1, hi));
}

static void drop(struct tree *t)
{
    if (t == NULL)
        return;
    drop(t->left);
    drop(t->right);
    free(t);
}

int main(void)
{
    struct tree *root = NULL;
    int i, k = 0;

    for (i = 0; i < 3; i++) {
        k = __VERIFIER_nondet_int();
        __VERIFIER_assume(k >= 0 && k <= 2);
        root = insert(root, k);
    }
    assert(contains(root, k));
    assert(ordered(root, 0, 2));
    drop(root);
    return 0;
}
