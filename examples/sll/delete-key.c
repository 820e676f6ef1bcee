// Removes and frees every node with the given key.
// expect: delete_key safe

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
        item_t *next = cur->next;
        if (cur->key == key) {
            if (prev)
                prev->next = next;
            else
                h = next;
            free(cur);
        } else {
            prev = cur;
        }
        cur = next;
    }
    return h;
}
