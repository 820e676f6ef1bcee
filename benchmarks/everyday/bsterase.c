#include <stdio.h>
#include <stdlib.h>

struct node { int k; struct node *l, *r; };

static int insert(struct node **root, int k)
{
    struct node **p = root;
    while (*p) {
        if (k == (*p)->k)
            return 0;
        p = k < (*p)->k ? &(*p)->l : &(*p)->r;
    }
    *p = malloc(sizeof **p);
    if (!*p)
        return -1;
    (*p)->k = k;
    (*p)->l = NULL;
    (*p)->r = NULL;
    return 1;
}

static int erase(struct node **root, int k)
{
    struct node **p = root, *n;
    while (*p && (*p)->k != k)
        p = k < (*p)->k ? &(*p)->l : &(*p)->r;
    n = *p;
    if (!n)
        return 0;
    if (n->l && n->r) {
        struct node **q = &n->r;
        struct node *m;
        while ((*q)->l)
            q = &(*q)->l;
        m = *q;
        *q = m->r;
        m->l = n->l;
        m->r = n->r;
        *p = m;
    } else {
        *p = n->l ? n->l : n->r;
    }
    free(n);
    return 1;
}

int main(int argc, char **argv)
{
    struct node *root = NULL;
    int i, x, size = 0;

    (void)argv;
    for (i = 0; i < 20 + argc; i++) {
        x = rand() % 50;
        if (insert(&root, x) > 0)
            size++;
    }
    printf("%d keys\n", size);
    for (i = 0; i < 50; i += 3)
        if (erase(&root, i))
            size--;
    printf("%d keys\n", size);
    while (root) {
        printf("%d ", root->k);
        erase(&root, root->k);
    }
    printf("\n");
    return 0;
}
