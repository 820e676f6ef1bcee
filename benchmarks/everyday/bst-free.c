/* Binary search tree, the recursive way. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *new_node(int key)
{
    struct tree *t = malloc(sizeof(*t));
    if (t == NULL) {
        perror("malloc");
        exit(EXIT_FAILURE);
    }
    t->key = key;
    t->left = t->right = NULL;
    return t;
}

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL)
        return new_node(key);
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    return t;
}

static int contains(const struct tree *t, int key)
{
    if (t == NULL)
        return 0;
    if (key == t->key)
        return 1;
    return contains(key < t->key ? t->left : t->right, key);
}

static struct tree *remove_min(struct tree *t, int *min)
{
    if (t->left == NULL) {
        struct tree *right = t->right;
        *min = t->key;
        free(t);
        return right;
    }
    t->left = remove_min(t->left, min);
    return t;
}

static struct tree *delete(struct tree *t, int key)
{
    if (t == NULL)
        return NULL;
    if (key < t->key) {
        t->left = delete(t->left, key);
    } else if (key > t->key) {
        t->right = delete(t->right, key);
    } else if (t->left == NULL || t->right == NULL) {
        free(t);
        return t->left ? t->left : t->right; // BUG
    } else {
        t->right = remove_min(t->right, &t->key);
    }
    return t;
}

static int height(const struct tree *t)
{
    int l, r;
    if (t == NULL)
        return 0;
    l = height(t->left);
    r = height(t->right);
    return 1 + (l > r ? l : r);
}

static void print(const struct tree *t)
{
    if (t) {
        print(t->left);
        printf("%d ", t->key);
        print(t->right);
    }
}

static void destroy(struct tree *t)
{
    if (!t)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void)
{
    static const int keys[] = { 50, 30, 70, 20, 40, 60, 80, 30 };
    struct tree *root = NULL;
    size_t i;

    for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        root = insert(root, keys[i]);
    print(root);
    printf("\nheight %d\n", height(root));
    assert(contains(root, 60));
    root = delete(root, 50);
    root = delete(root, 20);
    root = delete(root, 99);
    assert(!contains(root, 50) && contains(root, 60));
    print(root);
    putchar('\n');
    destroy(root);
    return 0;
}
