// SortedList.add of Symbolic Shape Analysis (Figure 2): inserts a node into a sorted list.

#include <stddef.h>

struct node {
    int data;
    struct node *next;
};

static struct node *first;

/*@ requires reach(next, first, NULL) && sorted(next, data, first, NULL);
    requires n != NULL && !reach(next, first, n) && n->next == NULL;
    ensures  reach(next, first, NULL) && sorted(next, data, first, NULL);
    ensures  content(next, first) == \union(\old(content(next, first)), {n}); */
void insert(struct node *n)
{
    struct node *prev = NULL;
    struct node *curr = first;

    while (curr != NULL && curr->data < n->data) {
        prev = curr;
        curr = curr->next;
    }
    n->next = curr;
    if (prev != NULL)
        prev->next = n;
    else
        first = n;
}
