// Frees every node with a key, and then reads where it led.
// expect: delete_key violated use-after-free
// expect[pdr-forall]: delete_key violated use-after-free

#include <stdlib.h>

struct node { int key; struct node *next; };

/*@ requires reach(next, head, NULL);
    ensures  reach(next, \result, NULL); */
struct node *delete_key(struct node *head, int key)
{
    struct node **link = &head;

    while (*link != NULL) {
        if ((*link)->key == key) {
            free(*link);
            *link = (*link)->next; // BUG
        } else {
            link = &(*link)->next;
        }
    }
    return head;
}
