// Looks a key up and moves its node to the front, with two statements exchanged.

#include <stddef.h>

struct bucket {
    struct bucket *chain;
    int key;
};

/*@ requires reach(chain, b, NULL);
    ensures  reach(chain, \result, NULL);
    ensures  \forall struct bucket *v; v != NULL ==> (reach(chain, \result, v) <==> \old(reach(chain, b, v)));
    ensures  \forall struct bucket *v; v != NULL && \old(reach(chain, b, v)) && v->key == key ==>
                 \result->key == key;
    ensures  \forall struct bucket *u, *v; u != \result && v != \result && v != NULL &&
                 \old(reach(chain, b, u)) ==>
                 (reach(chain, u, v) <==> \old(reach(chain, u, v))); */
struct bucket *lookup(struct bucket *b, int key)
{
    struct bucket *it, *before = NULL;

    for (it = b; it; before = it, it = it->chain) {
        if (it->key != key)
            continue;
        if (before == NULL)
            return b;
        it->chain = b;
        before->chain = it->chain;
        return it; // BUG
    }
    return b;
}
