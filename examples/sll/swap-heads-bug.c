// Swaps without a temporary and loses the first list.
// test: --objects 3 --int-values 0
// expect: swap violated leak

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

typedef struct node *list;

/*@ requires \valid(a) && \valid(b);
    assigns  *a, *b;
    ensures  *a == \old(*b); */
void swap(list *a, list *b)
{
    *a = *b;
    *b = *a;
} // BUG
