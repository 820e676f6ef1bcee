#include <stdio.h>
#include <stdlib.h>

struct n { int v; struct n *next; };

static struct n *merge(struct n *a, struct n *b)
{
    struct n head, *t = &head;
    head.next = NULL;
    while (a && b) {
        if (a->v <= b->v) { t->next = a; a = a->next; }
        else { t->next = b; b = b->next; }
        t = t->next;
    }
    t->next = a ? a : b;
    return head.next;
}

static struct n *sort(struct n *l)
{
    struct n *slow, *fast, *half;
    if (!l || !l->next)
        return l;
    slow = l;
    fast = l->next;
    while (fast) {
        slow = slow->next;
        fast = fast->next->next; // BUG: the last one has no next
    }
    half = slow->next;
    slow->next = NULL;
    l = sort(l);
    half = sort(half);
    return merge(l, half);
}

int main(void)
{
    struct n *list = NULL, *p;
    int x;
    while (scanf("%d", &x) == 1) {
        p = malloc(sizeof *p);
        if (!p)
            break;
        p->v = x;
        p->next = list;
        list = p;
    }
    list = sort(list);
    for (p = list; p; p = p->next)
        printf("%d\n", p->v);
    while ((p = list)) {
        list = p->next;
        free(p);
    }
    return 0;
}
