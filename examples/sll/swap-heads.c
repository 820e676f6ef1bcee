// Swaps two lists through pointers to their heads, even when both are the same.
// test: --objects 3 --int-values 0
// expect: swap safe

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

typedef struct node *list;

/*@ requires \valid(a) && \valid(b);
    assigns  *a, *b;
    ensures  *a == \old(*b) && *b == \old(*a); */
void swap(list *a, list *b)
{
    list t = *a;
    *a = *b;
    *b = t;
}
