// What contracts say of the state at entry, of freed nodes and of nobody.
// test: --engine pdr-forall
// expect: step verified
// expect: step_bug violated postcondition
// expect: fresh verified
// expect: none verified
// expect: somebody violated postcondition
// expect: null_reached verified
// expect: still_there violated postcondition
// expect: reversed verified
// expect: lost_fifth violated postcondition

#include <stdlib.h>

struct node { struct node *next; int data; };

/*@ requires reach(next, h, NULL) && h != NULL;
    ensures  \result == \old(h->next) && \result == h->next; */
struct node *step(struct node *h)
{
    h = h->next;
    return h;
}

/*@ requires reach(next, h, NULL) && h != NULL;
    ensures  \result != \old(h->next); // BUG step_bug
*/
struct node *step_bug(struct node *h)
{
    h = h->next;
    return h;
}

/*@ requires reach(next, h, NULL);
    ensures  !\old(alloc(\at(\result, Here))) && alloc(\result); */
struct node *fresh(struct node *h)
{
    struct node *n = malloc(sizeof *n);
    n->next = h;
    n->data = 0;
    return n;
}

/*@ requires h == NULL;
    ensures  \forall struct node *v; reach(next, h, v) && v != NULL ==> v->data == 1; */
void none(struct node *h)
{
}

/*@ requires reach(next, h, NULL);
    ensures  \exists struct node *v; reach(next, h, v) && v != NULL; // BUG somebody
*/
void somebody(struct node *h)
{
}

/*@ requires reach(next, h, NULL);
    ensures  \exists struct node *v; reach(next, h, v) && v == NULL; */
void null_reached(struct node *h)
{
}

/*@ requires h != NULL && h->next == NULL;
    ensures  \forall struct node *v; v != NULL ==> alloc(v); // BUG still_there
*/
void still_there(struct node *h)
{
    free(h);
}

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL) && content(next, \result) == \old(content(next, h)); */
struct node *reversed(struct node *h)
{
    struct node *r = NULL;
    while (h) {
        struct node *n = h->next;
        h->next = r;
        r = h;
        h = n;
    }
    return r;
}

/*@ requires reach(next, x, NULL);
    ensures  content(next, \result) == \old(content(next, x)); // BUG lost_fifth
*/
struct node *lost_fifth(struct node *x)
{
    if (x && x->next && x->next->next && x->next->next->next && x->next->next->next->next) {
        struct node *o = x->next->next->next->next;
        x->next->next->next->next = o->next;
        free(o);
    }
    return x;
}
