// The walk to the right does not look for an end.

#include <stdlib.h>

struct item { int weight; };

typedef struct map {
    int key;
    struct item *item;
    struct map *l, *r;
} Map;

/*@ requires tree(l, r, m);
    requires \forall Map *v; reach({l, r}, m, v) ==> v->item != NULL;
    assigns  \nothing; */
int map_find(Map *m, int key)
{
    while (m != NULL) {
        while (m->key != key) // BUG
            m = m->r;
        if (m->key == key)
            return m->item->weight;
        m = key < m->key ? m->l : m->r;
    }
    return 0;
}
