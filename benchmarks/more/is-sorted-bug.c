// Tells whether a list is sorted, but compares only every second pair.

#include <stddef.h>
#include <stdbool.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, n, NULL);
    ensures  \result ==> sorted(next, key, n, NULL);
    ensures  sorted(next, key, n, NULL) ==> \result; */
bool is_sorted(const struct node *n)
{
    if (!n)
        return true;
    while (n->next) {
        if (n->key > n->next->key)
            return false;
        n = n->next;
        if (n->next)
            n = n->next;
    }
    return true; // BUG
}
