// Exchanges the nodes of a list two by two, but remembers the wrong node of a pair and drops the next one.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, head, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, head, v))); */
struct node *swap_pairs(struct node *head)
{
    struct node *before = NULL, *a = head;

    while (a && a->next) {
        struct node *b = a->next;
        a->next = b->next;
        b->next = a;
        if (before)
            before->next = b;
        else
            head = b;
        before = b;
        a = a->next;
    }
    return head; // BUG
}
