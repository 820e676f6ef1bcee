// A list that ends in a shared sentinel object instead of null: the search needs no end test.
// expect: search safe
// expect: main safe

#include <stdlib.h>
#include <assert.h>

struct n {
    int key;
    struct n *next;
};

/*@ requires end != NULL && end->next == NULL && reach(next, h, end);
    ensures  \result == end || \result->key == k;
    ensures  \result == end ==> \forall struct n *v; reach(next, h, v) && reach1(next, v, end) && v != end ==> v->key != k; */
struct n *search(struct n *h, struct n *end, int k)
{
    end->key = k;
    while (h->key != k)
        h = h->next;
    return h;
}

int main(void)
{
    struct n end = { 0, NULL };
    struct n *list = &end;
    int i;

    for (i = 0; i < 3; i++) {
        struct n *x = malloc(sizeof *x);
        x->key = i;
        x->next = list;
        list = x;
    }
    assert(search(list, &end, 1)->key == 1);
    assert(search(list, &end, 7) == &end);
    while (list != &end) {
        struct n *x = list;
        list = list->next;
        free(x);
    }
    return 0;
}
