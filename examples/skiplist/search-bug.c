// Takes one step too many on the fast lane and jumps over the key.
// test: --objects 3
// expect: search violated postcondition

#include <stddef.h>

struct sl { struct sl *n1, *n2; int key; };

/*@ predicate skip(struct sl *h) = h != NULL && ls(n1, h, NULL) && reach(n2, h, NULL) &&
      (\forall struct sl *v; v != NULL && reach(n2, h, v) ==> reach(n1, h, v) && (v->n2 != NULL ==> reach1(n1, v, v->n2))) &&
      \forall struct sl *v; v != NULL && reach(n1, h, v) && v->n1 != NULL && v != h ==> v->key < v->n1->key; */

/*@ requires skip(h);
    requires \forall struct sl *v; v != NULL && reach(n1, h, v) && !reach(n2, h, v) ==> v->n2 == NULL;
    assigns  \nothing;
    ensures  \result != NULL ==> \result->key == k && reach1(n1, h, \result);
    ensures  \result == NULL ==> \forall struct sl *v; v != NULL && reach1(n1, h, v) ==> v->key != k; // BUG
*/
struct sl *search(struct sl *h, int k)
{
    struct sl *p = h;
    while (p->n2 != NULL && p->key < k)
        p = p->n2;
    if (p != h && p->key == k)
        return p;
    p = p->n1;
    while (p != NULL && p->key < k)
        p = p->n1;
    return p != NULL && p->key == k ? p : NULL;
}
