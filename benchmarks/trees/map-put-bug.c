// The old item is lost.

#include <stdlib.h>

struct item { int weight; };

typedef struct map {
    int key;
    struct item *item;
    struct map *l, *r;
} Map;

/*@ requires tree(l, r, m);
    requires \forall Map *v; reach({l, r}, m, v) ==> v->item != NULL;
    requires \forall Map *u, *v; reach({l, r}, m, u) && reach({l, r}, m, v) && u->item == v->item ==> u == v;
    ensures  tree(l, r, m) && (\forall Map *v; \old(reach({l, r}, m, v)) <==> reach({l, r}, m, v)); */
int map_put(Map *m, int key, int weight)
{
    Map *at = m;

    while (at != NULL && at->key != key)
        at = key < at->key ? at->l : at->r;
    if (at == NULL)
        return 0;
    at->item = malloc(sizeof(struct item));
    if (at->item == NULL)
        abort();
    at->item->weight = weight;
    return 1; // BUG
}
