// Three bugs in a set with a dummy head: a repeated key, a lost node, an unchecked end.
// expect: set_add violated postcondition
// expect: set_remove violated leak
// expect: set_has violated null-deref

#include <stdlib.h>

typedef struct snode {
    int key;
    struct snode *next;
} snode;

/*@ predicate set(snode *s) = s != NULL && reach(next, s->next, NULL) && !reach(next, s->next, s) &&
      \forall snode *v; v != NULL && reach(next, s->next, v) && v->next != NULL ==> v->key < v->next->key; */
/*@ predicate member(snode *s, int k) = \exists snode *v; v != NULL && reach(next, s->next, v) && v->key == k; */

/*@ requires set(s);
    ensures  set(s) && member(s, k); // BUG
    ensures  \forall snode *v; v != NULL && \old(reach(next, s, v)) ==> reach(next, s, v);
*/
int set_add(snode *s, int k)
{
    snode *p = s, *n;
    while (p->next && p->next->key < k)
        p = p->next;
    n = malloc(sizeof *n);
    n->key = k;
    n->next = p->next;
    p->next = n;
    return 1;
}

/*@ requires set(s);
    ensures  set(s) && !member(s, k);
    ensures  \forall snode *v; v != NULL && \old(reach(next, s->next, v)) && \old(v->key) != k ==> reach(next, s->next, v); */
void set_remove(snode *s, int k)
{
    snode *p = s, *dead;
    while (p->next && p->next->key < k)
        p = p->next;
    dead = p->next;
    if (dead && dead->key == k) {
        p->next = dead->next;
    }
} // BUG

/*@ requires set(s);
    assigns  \nothing;
    ensures  \result != 0 <==> member(s, k); */
int set_has(snode *s, int k)
{
    snode *p = s->next;
    while (p && p->key < k)
        p = p->next;
    return p->key == k; // BUG
}
