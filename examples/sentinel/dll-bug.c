// push_back links the new node to itself; unlink_node clears the links before it uses them.
// test: --objects 3
// expect: push_back violated postcondition
// expect: unlink_node violated null-deref

#include <stddef.h>

typedef struct link {
    struct link *succ, *pred;
} link_t;

//@ predicate ring(link_t *s) = s != NULL && cyclic(succ, s) && \forall link_t *v; v != NULL && reach(succ, s, v) ==> v->succ->pred == v;

/*@ requires ring(s);
    requires n != NULL && !reach(succ, s, n) && n->succ == NULL && n->pred == NULL;
    ensures  ring(s); // BUG
*/
void push_back(link_t *s, link_t *n)
{
    n->succ = s;
    n->pred = s->pred;
    s->pred = n;
    s->pred->succ = n;
}

/*@ requires ring(s) && reach(succ, s, n) && n != s;
    assigns  n->pred->succ, n->succ->pred, n->succ, n->pred;
    ensures  ring(s) && n->succ == NULL && n->pred == NULL;
    ensures  content(succ, s) == \diff(\old(content(succ, s)), {n}); */
void unlink_node(link_t *s, link_t *n)
{
    (void) s;
    n->pred->succ = n->succ;
    n->pred = n->succ = NULL;
    n->succ->pred = n->pred; // BUG
}
