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
        struct node *node = list;

        list = list->next;
        node->next = NULL;
        if (node->key < pivot) {
            *low_end = node;
            low_end = &node->next;
        } else {
            *high_end = node;
            high_end = &node->next;
        }
    }
    *low_end = high;
    return low;
}
