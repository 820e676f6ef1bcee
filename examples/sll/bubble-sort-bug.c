// One pass of bubble sort is not enough for three nodes.
// expect: bubble violated postcondition

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

/*@ requires ls(next, h, NULL);
    assigns  { v->data | struct node *v; v != NULL && reach(next, h, v) };
    ensures  sorted(next, data, h, NULL); // BUG
*/
void bubble(struct node *h)
{
    int again;
    do {
        struct node *p;
        again = 0;
        for (p = h; p && p->next; p = p->next)
            if (p->data > p->next->data) {
                swap(&p->data, &p->next->data);
            }
    } while (again);
}
