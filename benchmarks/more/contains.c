// Tells whether a key occurs in a list.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, n, NULL);
    assigns  \nothing;
    ensures  \result == NULL ==> \forall struct node *v; v != NULL && reach(next, n, v) ==> v->key != key;
    ensures  \result != NULL ==> reach(next, n, \result) && \result->key == key; */
struct node *contains(struct node *n, int key)
{
    do {
        if (n == NULL)
            return NULL;
        if (n->key == key)
            return n;
        n = n->next;
    } while (1);
}
