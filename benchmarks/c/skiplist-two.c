#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct sl {
    struct sl *n1;      /* every node */
    struct sl *n2;      /* some of them */
};

static struct sl *alloc_node(void)
{
    struct sl *s = malloc(sizeof(struct sl));
    if (!s)
        abort();
    s->n1 = NULL;
    s->n2 = NULL;
    return s;
}

int main(void)
{
    struct sl *head = alloc_node(), *tail = alloc_node(), *a, *b, *x;

    head->n1 = head->n2 = tail;
    while (__VERIFIER_nondet_int()) {
        /* a random place on the second level, then on the first */
        a = head;
        while (a->n2 != tail && __VERIFIER_nondet_int())
            a = a->n2;
        b = a;
        while (b->n1 != a->n2 && __VERIFIER_nondet_int())
            b = b->n1;
        x = alloc_node();
        x->n1 = b->n1;
        b->n1 = x;
        if (__VERIFIER_nondet_int()) {
            x->n2 = a->n2;
            a->n2 = x;
        }
    }
    while (head != NULL) {
        x = head->n1;
        free(head);
        head = x;
    }
    return 0;
}
