#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct ring {
    struct ring *cw;
    struct ring *ccw;
} ring_t;

static ring_t *ring_add(ring_t *at)
{
    ring_t *r = malloc(sizeof(ring_t));
    if (r == NULL)
        abort();
    if (at == NULL) {
        r->cw = r->ccw = r;
    } else {
        r->cw = at->cw;
        r->ccw = at;
        at->cw->ccw = r;
        at->cw = r;
    }
    return r;
}

static ring_t *ring_del(ring_t *at)
{
    ring_t *next = at->cw;
    if (next == at) {
        free(at);
        return NULL;
    }
    at->ccw->cw = next;
    next->ccw = at->ccw;
    free(at);
    return next;
}

int main(void)
{
    ring_t *r = NULL;

    while (__VERIFIER_nondet_int()) {
        if (r != NULL && __VERIFIER_nondet_int())
            r = r->ccw;
        else
            r = ring_add(r);
        assert(r->cw->ccw == r && r->ccw->cw == r);
    }
    while (r != NULL)
        r = ring_del(r);
    return 0;
}
