// Competition style: the forward link of the predecessor is forgotten.
// expect: main violated assertion

#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int cond);

typedef struct TDLL {
    struct TDLL *fwd;
    struct TDLL *back;
    int pos;
} DLL;

static DLL *grow(DLL *last, int pos)
{
    DLL *n = malloc(sizeof(DLL));
    n->fwd = NULL;
    n->back = last;
    n->pos = pos;
    return n;
}

int main(void)
{
    DLL *last = NULL;
    int i = 0, len = __VERIFIER_nondet_int();

    __VERIFIER_assume(0 <= len && len < 3);
    while (i < len)
        last = grow(last, i++);
    while (last != NULL) {
        DLL *dead = last;
        assert(last->pos == --i);
        assert(last->back == NULL || last->back->fwd == last); // BUG
        last = last->back;
        free(dead);
    }
    assert(i == 0);
    return 0;
}
