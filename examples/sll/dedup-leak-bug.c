// Unlinks a repeated node but forgets to free it.
// expect: dedup violated leak

#include <stdlib.h>

struct entry { int key; struct entry *next; };

/*@ requires ls(next, h, NULL) && sorted(next, key, h, NULL);
    ensures  reach(next, h, NULL) && sorted(next, key, h, NULL);
    ensures  \forall struct entry *v; v != NULL && reach(next, h, v) && v->next != NULL ==> v->key < v->next->key;
    ensures  \forall struct entry *v; v != NULL && \old(reach(next, h, v)) ==>
                 \exists struct entry *w; w != NULL && reach(next, h, w) && w->key == \old(v->key); */
void dedup(struct entry *h)
{
    struct entry *c = h;
    while (c != NULL && c->next != NULL) {
        if (c->key == c->next->key) {
            struct entry *dead = c->next;
            c->next = dead->next;
        } else {
            c = c->next;
        }
    }
} // BUG
