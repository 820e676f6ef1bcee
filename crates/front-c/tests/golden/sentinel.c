#include <stdlib.h>
struct dll {
    struct dll *next, *prev;
    long key;
};
static struct dll nil = {&nil, &nil, 0};
struct dll *const sentinel = &nil;
int count;

static void link(struct dll *a, struct dll *b) { a->next = b, b->prev = a; }

struct dll *insert(long key) {
    static int calls = 1;
    struct dll *n = malloc(sizeof(struct dll)), *at;
    if (n == NULL || calls++ > 100)
        abort();
    nil.key = key;
    for (at = nil.next; at->key < key; at = at->next)
        ;
    n->key = key;
    link(at->prev, n);
    link(n, at);
    count += 1;
    return n;
}

int member(long key) {
    struct dll *at = sentinel->next;
    do {
        if (at->key == key && at != sentinel)
            return 1;
        at = at->next;
    } while (at != sentinel);
    return 0;
}
