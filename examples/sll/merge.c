// Merges two sorted lists into one sorted list with the same nodes.
// expect: merge safe

#include <stddef.h>

typedef struct Node *List;
struct Node {
    int data;
    List next;
};

/*@ requires ls(next, a, NULL) && sorted(next, data, a, NULL);
    requires ls(next, b, NULL) && sorted(next, data, b, NULL);
    requires \inter(content(next, a), content(next, b)) == \empty;
    ensures  ls(next, \result, NULL) && sorted(next, data, \result, NULL);
    ensures  content(next, \result) == \old(\union(content(next, a), content(next, b))); */
List merge(List a, List b)
{
    struct Node dummy;
    List t = &dummy;

    dummy.next = NULL;
    while (a != NULL && b != NULL) {
        if (a->data <= b->data) {
            t->next = a;
            a = a->next;
        } else {
            t->next = b;
            b = b->next;
        }
        t = t->next;
    }
    t->next = a ? a : b;
    return dummy.next;
}
