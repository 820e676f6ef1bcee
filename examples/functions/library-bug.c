// A container frees what it holds, and somebody else looks at it.
// expect: main violated use-after-free
#include <stdlib.h>

struct list {
    struct node *head;
    void (*release)(void *);
};

struct node {
    struct node *next;
    void *data;
};

static void destroy(struct list *l)
{
    while (l->head) {
        struct node *n = l->head;
        l->head = n->next;
        l->release(n->data);
        free(n);
    }
}

int main(void)
{
    int *number = malloc(sizeof *number);
    struct list l = { NULL, free };
    struct node *n = malloc(sizeof *n);
    if (!n || !number) return 1;
    *number = 1;
    n->data = number;
    n->next = NULL;
    l.head = n;
    destroy(&l);
    return *number; // BUG
}
