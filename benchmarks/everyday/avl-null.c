/* A balanced search tree of numbers. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key, height;
    struct node *left, *right;
};

static int height(const struct node *n)
{
    return n ? n->height : 0;
}

static void measure(struct node *n)
{
    int l = height(n->left), r = height(n->right);
    n->height = 1 + (l > r ? l : r);
}

static struct node *turn_right(struct node *n)
{
    struct node *l = n->left;
    n->left = l->right;
    l->right = n;
    measure(n);
    measure(l);
    return l;
}

static struct node *turn_left(struct node *n)
{
    struct node *r = n->right;
    n->right = r->left;
    r->left = n;
    measure(n);
    measure(r);
    return r;
}

static struct node *balanced(struct node *n)
{
    measure(n);
    if (height(n->left) > height(n->right) + 1) {
        if (n->left->left->height < height(n->left->right)) // BUG
            n->left = turn_left(n->left);
        return turn_right(n);
    }
    if (height(n->right) > height(n->left) + 1) {
        if (height(n->right->right) < height(n->right->left))
            n->right = turn_right(n->right);
        return turn_left(n);
    }
    return n;
}

static struct node *insert(struct node *n, int key)
{
    if (!n) {
        n = malloc(sizeof *n);
        if (!n)
            abort();
        n->key = key;
        n->height = 1;
        n->left = n->right = NULL;
        return n;
    }
    if (key < n->key)
        n->left = insert(n->left, key);
    else if (key > n->key)
        n->right = insert(n->right, key);
    return balanced(n);
}

static void drop(struct node *n)
{
    if (!n)
        return;
    drop(n->left);
    drop(n->right);
    free(n);
}

static int size(const struct node *n)
{
    return n ? size(n->left) + 1 + size(n->right) : 0;
}

int main(void)
{
    struct node *root = NULL;
    int key;
    while (scanf("%d", &key) == 1)
        root = insert(root, key);
    printf("%d keys, height %d\n", size(root), height(root));
    assert(height(root) <= size(root));
    drop(root);
    return 0;
}
