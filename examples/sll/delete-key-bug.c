// Steps from a node that was just freed.
// expect: delete_key violated use-after-free

#include <stdlib.h>

typedef struct item {
    int key;
    struct item *next;
} item_t;

/*@ requires ls(next, h, NULL);
    ensures  ls(next, \result, NULL);
    ensures  \forall item_t *v; v != NULL && reach(next, \result, v) ==> v->key != key;
    ensures  \forall item_t *v; v != NULL && \old(reach(next, h, v)) && \old(v->key) != key ==> reach(next, \result, v);
    ensures  \forall item_t *v; v != NULL && \old(reach(next, h, v)) && \old(v->key) == key ==> !alloc(v); */
item_t *delete_key(item_t *h, int key)
{
    item_t *prev = NULL, *cur = h;

    while (cur) {
        if (cur->key == key) {
            if (prev)
                prev->next = cur->next;
            else
                h = cur->next;
            free(cur);
        } else {
            prev = cur;
        }
        cur = cur->next; // BUG
    }
    return h;
}
