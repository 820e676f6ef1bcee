// Functions of the library as values: `free` in a container, `strcmp` as a comparator through a cast,
// `malloc` as an allocator.
// expect: main safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct list {
    struct node *head;
    void *(*alloc)(size_t);
    void (*release)(void *);
    int (*cmp)(const void *, const void *);
};

struct node {
    struct node *next;
    void *data;
};

static int push(struct list *l, void *data)
{
    struct node *n = l->alloc(sizeof *n);
    if (!n) return -1;
    n->data = data;
    n->next = l->head;
    l->head = n;
    return 0;
}

static struct node *find(struct list *l, const void *data)
{
    struct node *n = l->head;
    while (n && l->cmp(n->data, data) != 0) n = n->next;
    return n;
}

static void destroy(struct list *l)
{
    while (l->head) {
        struct node *n = l->head;
        l->head = n->next;
        if (l->release) l->release(n->data);
        free(n);
    }
}

int main(void)
{
    typedef int (*compare)(const void *, const void *);
    struct list words = { NULL, malloc, NULL, (compare)strcmp };
    struct list owned = { NULL, malloc, free, NULL };
    char *copy;
    if (push(&words, "one") || push(&words, "two")) return 1;
    assert(find(&words, "two") == words.head && !find(&words, "three"));
    destroy(&words);
    copy = malloc(4);
    if (!copy) return 1;
    strcpy(copy, "abc");
    if (push(&owned, copy)) free(copy);
    destroy(&owned);
    return 0;
}
