// Failures that need more nodes than exploration looks at.
// test: --engine sll
// expect: sixth violated null-deref
// expect: seventh violated use-after-free
// expect: cut_seventh violated leak

#include <stdlib.h>

struct node { struct node *next; int data; };

//@ requires reach(next, h, NULL);
void sixth(struct node *h)
{
    int k = 0;
    while (h) {
        if (k >= 5)
            h = h->next;
        k++;
        h = h->next; // BUG sixth
    }
}

//@ requires reach(next, h, NULL) && h != NULL;
void seventh(struct node *h)
{
    struct node *t = h;
    int k = 0;
    while (t->next) {
        t = t->next;
        k++;
    }
    if (k >= 6)
        free(t);
    while (h) {
        h->data = 0; // BUG seventh
        h = h->next;
    }
}

//@ requires reach(next, h, NULL) && h != NULL;
void cut_seventh(struct node *h)
{
    struct node *t = h, *p = NULL;
    int k = 0;
    while (t->next) {
        p = t;
        t = t->next;
        k++;
    }
    if (k >= 6)
        p->next = NULL;
} // BUG cut_seventh
