/* doubly linked list with a length and a destructor */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct listNode {
    struct listNode *prev;
    struct listNode *next;
    void *value;
} listNode;

typedef struct list {
    listNode *head;
    listNode *tail;
    void (*release)(void *ptr);
    unsigned long len;
} list;

static list *list_create(void)
{
    list *l = malloc(sizeof(*l));
    if (l == NULL)
        return NULL;
    l->head = l->tail = NULL;
    l->len = 0;
    l->release = NULL;
    return l;
}

static list *list_append(list *l, void *value)
{
    listNode *n = malloc(sizeof(*n));
    if (n == NULL)
        return NULL;
    n->value = value;
    n->next = NULL;
    if (l->len == 0) {
        l->head = l->tail = n;
        n->prev = NULL;
    } else {
        n->prev = l->tail;
        l->tail->next = n;
        l->tail = n;
    }
    l->len++;
    return l;
}

static void list_del(list *l, listNode *n)
{
    if (n->prev)
        n->prev->next = n->next;
    else
        l->head = n->next;
    if (n->next)
        n->next->prev = n->prev;
    else
        l->tail = n->prev;
    if (l->release)
        l->release(n->value);
    free(n);
    l->len--;
}

static void list_free(list *l)
{
    unsigned long len = l->len;
    listNode *cur = l->head, *next;
    while (len--) {
        next = cur->next;
        if (l->release)
            l->release(cur->value);
        free(cur);
        cur = next;
    }
    free(l);
}

int main(void)
{
    char word[64];
    list *l = list_create();
    listNode *n, *next;
    if (l == NULL)
        return 1;
    l->release = free;
    while (scanf("%63s", word) == 1) {
        char *copy = strdup(word);
        if (copy == NULL)
            break;
        if (list_append(l, copy) == NULL) {
            free(copy);
            break;
        }
    }
    for (n = l->head; n; n = next) {
        next = n->next;
        if (((char *)n->value)[0] == '#')
            list_del(l, n);
    }
    printf("%lu words\n", l->len);
    for (n = l->head; n; n = n->next)
        puts(n->value);
    list_free(l);
    return 0;
}
