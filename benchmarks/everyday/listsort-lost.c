/* Sorts numbers: a list is cut in halves, these are sorted, and merged again. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    int n;
    struct item *next;
};

static struct item *merge(struct item *a, struct item *b)
{
    struct item *all = NULL, **end = &all;
    while (a != NULL && b != NULL) {
        if (a->n <= b->n) {
            *end = a;
            a = a->next;
        } else {
            *end = b;
            b = b->next;
        }
        end = &(*end)->next;
    }
    *end = a;
    return all;
}

static struct item *half(struct item *list)
{
    struct item *slow = list, *fast = list->next, *rest;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    rest = slow->next;
    slow->next = NULL;
    return rest;
}

static struct item *sort(struct item *list)
{
    struct item *rest;
    if (list == NULL || list->next == NULL)
        return list;
    rest = half(list);
    return merge(sort(list), sort(rest));
}

int main(void)
{
    struct item *list = NULL, *p;
    int n;
    while (scanf("%d", &n) == 1) {
        p = malloc(sizeof *p);
        if (p == NULL)
            break;
        p->n = n;
        p->next = list;
        list = p;
    }
    list = sort(list);
    for (p = list; p != NULL && p->next != NULL; p = p->next)
        assert(p->n <= p->next->n);
    while (list != NULL) {
        p = list;
        list = list->next;
        printf("%d\n", p->n);
        free(p);
    }
    return 0; // BUG
}
