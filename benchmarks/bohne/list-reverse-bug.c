// List.reverse with a bug: the last node is left out.

#include <stddef.h>

struct node {
    struct node *next;
};

static struct node *first;

/*@ requires reach(next, first, NULL);
    ensures  reach(next, first, NULL);
    ensures  content(next, first) == \old(content(next, first)); // BUG
 */
void reverse(void)
{
    struct node *done = NULL, *rest = first;

    while (rest != NULL && rest->next != NULL) {
        struct node *next = rest->next;
        rest->next = done;
        done = rest;
        rest = next;
    }
    first = done;
}
