// Nodes carry a pointer to a payload that nobody follows.
// test: --engine sll
// expect: reverse verified

#include <stddef.h>

struct entry { struct entry *next; void *payload; };

/*@ requires reach(next, h, NULL);
    ensures reach(next, \result, NULL); */
struct entry *reverse(struct entry *h)
{
    struct entry *r = NULL, *t;

    while (h != NULL) {
        t = h->next;
        h->next = r;
        r = h;
        h = t;
    }
    return r;
}
