// Memory that nobody holds any more.
// test: --engine sll
// expect: cut_off violated leak
// expect: forgotten verified
// expect: ring violated leak
// expect: at_exit verified
// expect: lost_at_exit violated leak
// expect: overwritten violated leak

#include <stdlib.h>

struct node { struct node *next; int data; };

struct node *held;

//@ requires reach(next, h, NULL);
void cut_off(struct node *h)
{
    if (h && h->next)
        h->next = h->next->next;
} // BUG cut_off

//@ requires reach(next, h, NULL);
void forgotten(struct node *h)
{
    h = NULL;
}

void ring(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = a;
} // BUG ring

void at_exit(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = n;
    exit(0);
}

void lost_at_exit(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = NULL;
    n = NULL;
    exit(0); // BUG lost_at_exit
}

//@ requires held == NULL;
void overwritten(void)
{
    held = malloc(sizeof *held);
    held->next = NULL;
    held = NULL;
} // BUG overwritten
