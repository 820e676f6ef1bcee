// A clause that reads memory which is not there does not hold, however deep it reads.
// test: --engine pdr-forall
// expect: deep violated postcondition
// expect: deeper violated postcondition
// expect: guarded verified
// expect: after_if verified

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, h, NULL);
    requires h != NULL ==> h->next != NULL && h->next->next == NULL;
    ensures  h->next->next == NULL; */ // BUG
void deep(struct node *h)
{
}

/*@ requires reach(next, h, NULL) && h != NULL;
    requires h->next != NULL ==> h->next->next != NULL && h->next->next->key == 1;
    ensures  h->next->next->key == 1; */ // BUG
void deeper(struct node *h)
{
}

/*@ requires reach(next, h, NULL);
    requires h != NULL ==> h->next != NULL && h->next->next == NULL;
    ensures  h == NULL || h->next->next == NULL; */
void guarded(struct node *h)
{
}

/*@ requires reach(next, h, NULL); */
void after_if(struct node *h)
{
    if (h && h->next)
        h = h->next;
    //@ assert reach(next, h, NULL);
    while (h)
        if (h->key)
            h = h->next;
        else
            h = NULL;
    //@ assert h == NULL;
}
