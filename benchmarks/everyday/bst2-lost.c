/* Search tree with iterative insertion and removal through a pointer to the link. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node Node;
struct Node {
    int value;
    Node *child[2];
};

static Node **find_link(Node **link, int value)
{
    while (*link && (*link)->value != value)
        link = &(*link)->child[value > (*link)->value];
    return link;
}

static bool add(Node **root, int value)
{
    Node **link = find_link(root, value);
    Node *n;

    if (*link)
        return false;
    n = calloc(1, sizeof *n);
    if (!n) {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    n->value = value;
    *link = n;
    return true;
}

static bool erase(Node **root, int value)
{
    Node **link = find_link(root, value);
    Node *dead = *link;

    if (!dead)
        return false;
    if (dead->child[0] && dead->child[1]) {
        Node **next = &dead->child[1];
        Node *heir;
        while ((*next)->child[0])
            next = &(*next)->child[0];
        heir = *next;
        *next = heir->child[1];
        heir->child[1] = dead->child[1];
        *link = heir;
    } else {
        *link = dead->child[0] ? dead->child[0] : dead->child[1];
    }
    free(dead);
    return true;
}

static void clear(Node **root)
{
    while (*root)
        erase(root, (*root)->value);
}

int main(int argc, char **argv)
{
    Node *root = NULL;
    int i;

    for (i = 1; i < argc; i++) {
        int v = atoi(argv[i]);
        if (!add(&root, v))
            printf("%d twice\n", v);
    }
    add(&root, 5);
    add(&root, 2);
    add(&root, 9);
    if (erase(&root, 5))
        puts("gone");
    clear(&root);
    return EXIT_SUCCESS; // BUG
}
