// Frees every node with a key, through the link that leads to it.
// expect: delete_key safe
// expect[pdr-forall]: delete_key verified

#include <stdlib.h>

struct node { int key; struct node *next; };

/*@ requires reach(next, head, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==> v->key != key; */
struct node *delete_key(struct node *head, int key)
{
    struct node **link = &head;

    while (*link != NULL) {
        struct node *node = *link;

        if (node->key == key) {
            *link = node->next;
            free(node);
        } else {
            link = &node->next;
        }
    }
    return head;
}
