// List.reverse of Symbolic Shape Analysis: reverses a list in place; its elements stay the same.

#include <stddef.h>

struct node {
    struct node *next;
};

static struct node *first;

/*@ requires reach(next, first, NULL);
    ensures  reach(next, first, NULL);
    ensures  content(next, first) == \old(content(next, first)); */
void reverse(void)
{
    struct node *done = NULL, *rest = first;

    while (rest != NULL) {
        struct node *next = rest->next;
        rest->next = done;
        done = rest;
        rest = next;
    }
    first = done;
}
