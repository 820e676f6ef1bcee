// A stack in a variable of its user: push and pop get its address.
// expect: fill_and_drain safe
// expect[pdr-forall]: fill_and_drain verified

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int data; struct node *next; };

static void push(struct node **head, int data)
{
    struct node *n = malloc(sizeof *n);

    n->data = data;
    n->next = *head;
    *head = n;
}

static int pop(struct node **head, int *data)
{
    struct node *n = *head;

    if (n == NULL)
        return 0;
    *data = n->data;
    *head = n->next;
    free(n);
    return 1;
}

/*@ ensures \true; */
void fill_and_drain(void)
{
    struct node *stack = NULL;
    int data;

    while (__VERIFIER_nondet_int())
        push(&stack, 1);
    while (pop(&stack, &data))
        ;
}
