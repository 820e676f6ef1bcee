// A clause that reads memory which is not there does not hold, however it is put.
// test: --engine pdr-forall
// expect: implied violated postcondition
// expect: equivalent violated postcondition
// expect: negated violated postcondition
// expect: either violated postcondition
// expect: guarded verified
// expect: before verified
// expect: all_nodes violated postcondition

#include <stdlib.h>

struct node { struct node *next; int data; };

/*@ requires h != NULL && h->next == NULL;
    ensures  h->data == 0 ==> h->data == 0; // BUG implied
*/
void implied(struct node *h)
{
    free(h);
}

/*@ requires h != NULL && h->next == NULL;
    ensures  h->next == NULL <==> h->next == NULL; // BUG equivalent
*/
void equivalent(struct node *h)
{
    free(h);
}

//@ ensures !(\result->data == 0); // BUG negated
struct node *negated(void)
{
    return NULL;
}

//@ ensures \result->data == 0 || \result->data != 0; // BUG either
struct node *either(void)
{
    return NULL;
}

//@ ensures \result == NULL || \result->data != 0;
struct node *guarded(void)
{
    return NULL;
}

/*@ requires h != NULL && h->next == NULL;
    ensures  \result == \old(h->data) && !alloc(h); */
int before(struct node *h)
{
    int d = h->data;
    free(h);
    return d;
}

/*@ requires reach(next, h, NULL);
    ensures  \forall struct node *v; v->data == v->data; // BUG all_nodes
*/
void all_nodes(struct node *h)
{
}
