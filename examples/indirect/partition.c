// Deals the nodes of a list out to two lists, each with a pointer to its last link.
// expect: partition safe
// expect[pdr-forall]: partition verified

#include <stddef.h>

struct node { int key; struct node *next; };

/*@ requires reach(next, list, NULL);
    ensures  reach(next, \result, NULL); */
struct node *partition(struct node *list, int pivot)
{
    struct node *low = NULL, *high = NULL;
    struct node **low_end = &low, **high_end = &high;

    while (list != NULL) {
        struct node *next = list->next;
        struct node ***end = list->key < pivot ? &low_end : &high_end;

        list->next = NULL;
        **end = list;
        *end = &list->next;
        list = next;
    }
    *low_end = high;
    return low;
}
