/* Merge sort of a singly linked list. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct list { struct list *next; int x; };

static struct list *cons(int x, struct list *tail)
{
    struct list *l = (struct list *)malloc(sizeof(struct list));
    assert(l != NULL);
    l->x = x;
    l->next = tail;
    return l;
}

static void split(struct list *l, struct list **a, struct list **b)
{
    struct list *slow, *fast;
    if (l == NULL || l->next == NULL) {
        *a = l;
        *b = NULL;
        return;
    }
    slow = l;
    fast = l->next;
    while (fast != NULL) {
        fast = fast->next;
        if (fast != NULL) {
            slow = slow->next;
            fast = fast->next;
        }
    }
    *a = l;
    *b = slow->next;
    slow->next = NULL;
}

static struct list *merge(struct list *a, struct list *b)
{
    struct list dummy;
    struct list *tail = &dummy;
    dummy.next = NULL;
    while (a && b) {
        if (a->x <= b->x) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    tail->next = a ? a : b;
    return dummy.next;
}

static void sort(struct list **l)
{
    struct list *a, *b;
    if (*l == NULL || (*l)->next == NULL)
        return;
    split(*l, &a, &b);
    sort(&a);
    sort(&b);
    *l = merge(a, b);
}

int main(void)
{
    struct list *l = NULL, *p;
    int i;

    srand((unsigned)time(NULL));
    for (i = 0; i < 5; i++)
        l = cons(rand() % 100, l);
    sort(&l);
    for (p = l; p && p->next; p = p->next)
        assert(p->x <= p->next->x);
    while (l) {
        p = l->next;
        printf("%d\n", l->x);
        free(l);
        l = p;
    }
    return 0;
}
