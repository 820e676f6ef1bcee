// Zips two lists together, node by node.
// expect: zip safe

#include <stddef.h>

typedef struct N { struct N *next; } N;

/*@ requires ls(next, a, NULL) && ls(next, b, NULL) && \inter(content(next, a), content(next, b)) == \empty;
    ensures  ls(next, \result, NULL);
    ensures  content(next, \result) == \old(\union(content(next, a), content(next, b)));
    ensures  a != NULL && b != NULL ==> \result == a && a->next == b; */
N *zip(N *a, N *b)
{
    N *head = a;

    if (a == NULL)
        return b;
    while (b != NULL) {
        N *t = a->next;
        a->next = b;
        a = b;
        b = t;
    }
    return head;
}
