// A set as a sorted list behind a dummy head node, so that no operation has a special case.
// expect: set_add safe
// expect: set_remove safe
// expect: set_has safe

#include <stdlib.h>

typedef struct snode {
    int key;
    struct snode *next;
} snode;

/*@ predicate set(snode *s) = s != NULL && ls(next, s->next, NULL) && !reach(next, s->next, s) &&
      \forall snode *v; v != NULL && reach(next, s->next, v) && v->next != NULL ==> v->key < v->next->key; */
/*@ predicate member(snode *s, int k) = \exists snode *v; v != NULL && reach(next, s->next, v) && v->key == k; */

/*@ requires set(s);
    ensures  set(s) && member(s, k);
    ensures  \forall snode *v; v != NULL && \old(reach(next, s, v)) ==> reach(next, s, v);
    ensures  \result != 0 <==> !\old(member(s, k)); */
int set_add(snode *s, int k)
{
    snode *p = s, *n;
    while (p->next && p->next->key < k)
        p = p->next;
    if (p->next && p->next->key == k)
        return 0;
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
        free(dead);
    }
}

/*@ requires set(s);
    assigns  \nothing;
    ensures  \result != 0 <==> member(s, k); */
int set_has(snode *s, int k)
{
    snode *p = s->next;
    while (p && p->key < k)
        p = p->next;
    return p && p->key == k;
}
