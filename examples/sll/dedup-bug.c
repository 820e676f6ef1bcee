// Advances after every deletion: three equal keys in a row leave a pair behind.
// expect: dedup violated postcondition

#include <stdlib.h>

struct entry { int key; struct entry *next; };

/*@ requires ls(next, h, NULL) && sorted(next, key, h, NULL);
    ensures  ls(next, h, NULL) && sorted(next, key, h, NULL);
    ensures  \forall struct entry *v; v != NULL && reach(next, h, v) && v->next != NULL ==> v->key < v->next->key; // BUG
    ensures  \forall struct entry *v; v != NULL && \old(reach(next, h, v)) ==>
                 \exists struct entry *w; w != NULL && reach(next, h, w) && w->key == \old(v->key); */
void dedup(struct entry *h)
{
    struct entry *c = h;
    while (c != NULL && c->next != NULL) {
        if (c->key == c->next->key) {
            struct entry *dead = c->next;
            c->next = dead->next;
            free(dead);
        }
        c = c->next;
    }
}
