#include <stdio.h>
#include <stdlib.h>

typedef struct tree_t {
    int key;
    int count;
    struct tree_t *left;
    struct tree_t *right;
} tree_t;

static tree_t *tree_insert(tree_t *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof(tree_t));
        if (t == NULL) {
            fputs("out of memory\n", stderr);
            exit(2);
        }
        t->key = key;
        t->count = 1;
        t->left = t->right = NULL;
    } else if (key < t->key) {
        t->left = tree_insert(t->left, key);
    } else if (key > t->key) {
        t->right = tree_insert(t->right, key);
    } else {
        t->count++;
    }
    return t;
}

static void tree_print(const tree_t *t, int indent)
{
    if (t == NULL)
        return;
    tree_print(t->left, indent + 2);
    printf("%*s%d (%d)\n", indent, "", t->key, t->count);
    tree_print(t->right, indent + 2);
}

static int tree_height(const tree_t *t)
{
    int l, r;
    if (!t)
        return 0;
    l = tree_height(t->left);
    r = tree_height(t->right);
    return 1 + (l > r ? l : r);
}

static void tree_free(tree_t *t)
{
    if (t) {
        tree_free(t->left);
        tree_free(t->right);
        free(t);
    }
}

int main(void)
{
    tree_t *root = NULL;
    int n;

    while (scanf("%d", &n) == 1)
        root = tree_insert(root, n);
    tree_print(root, 0);
    printf("height %d\n", tree_height(root));
    tree_free(root);
    return 0;
}
