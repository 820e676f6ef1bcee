// Zips only as long as both lists last: the rest of the second list is dropped.
// expect: zip violated leak

#include <stddef.h>

typedef struct N { struct N *next; } N;

/*@ requires ls(next, a, NULL) && ls(next, b, NULL) && \inter(content(next, a), content(next, b)) == \empty;
    ensures  reach(next, \result, NULL);
    ensures  a != NULL && b != NULL ==> \result == a && a->next == b; */
N *zip(N *a, N *b)
{
    N *head = a;

    if (a == NULL)
        return b;
    while (a != NULL && b != NULL) {
        N *an = a->next, *bn = b->next;
        a->next = b;
        b->next = an;
        a = an;
        b = bn;
    }
    return head; // BUG
}
