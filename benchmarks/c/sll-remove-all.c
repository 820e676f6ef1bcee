#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct rec {
    int id;
    struct rec *nx;
};

static struct rec *remove_all(struct rec *first, int id)
{
    struct rec *cur = first, *prev = NULL;
    while (cur) {
        if (cur->id == id) {
            struct rec *dead = cur;
            cur = cur->nx;
            if (prev)
                prev->nx = cur;
            else
                first = cur;
            free(dead);
        } else {
            prev = cur;
            cur = cur->nx;
        }
    }
    return first;
}

int main(void)
{
    struct rec *first = NULL, *r;
    int id = __VERIFIER_nondet_int();

    while (__VERIFIER_nondet_int()) {
        r = malloc(sizeof *r);
        if (!r)
            abort();
        r->id = __VERIFIER_nondet_int();
        r->nx = first;
        first = r;
    }
    first = remove_all(first, id);
    for (r = first; r; r = r->nx)
        assert(r->id != id);
    while (first) {
        r = first;
        first = first->nx;
        free(r);
    }
    return 0;
}
