// The partition of stable-partition.c without the end of the second half: it may run into the first.

#include <stddef.h>

typedef struct item {
    int weight;
    struct item *succ;
} item;

//@ predicate Light(item *v);

/*@ assigns \nothing;
    ensures \result != 0 <==> Light(v); */
extern int is_light(const item *v);

/*@ requires reach(succ, list, NULL);
    ensures  reach(succ, \result, NULL);
    ensures  \forall item *v; v != NULL ==> (reach(succ, \result, v) <==> \old(reach(succ, list, v)));
    ensures  \forall item *u, *v; u != NULL && v != NULL && (Light(u) <==> Light(v)) &&
                 \old(reach(succ, list, u)) ==>
                 (reach(succ, u, v) <==> \old(reach(succ, u, v)));
    ensures  \forall item *u, *v; u != NULL && v != NULL && Light(u) && !Light(v) &&
                 \old(reach(succ, list, u)) && \old(reach(succ, list, v)) ==> reach(succ, u, v); */
item *partition(item *list)
{
    item *light = NULL, *light_end = NULL;
    item *heavy = NULL, *heavy_end = NULL;

    for (item *cur = list; cur != NULL; cur = cur->succ) {
        if (is_light(cur)) {
            if (light_end)
                light_end->succ = cur;
            else
                light = cur;
            light_end = cur;
        } else {
            if (heavy_end)
                heavy_end->succ = cur;
            else
                heavy = cur;
            heavy_end = cur;
        }
    }
    if (!light_end)
        return heavy;
    light_end->succ = heavy;
    return light; // BUG
}
