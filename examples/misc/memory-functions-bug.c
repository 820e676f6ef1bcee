// The size of the pointer instead of the object: the second field stays uninitialised.
// expect: main violated uninit

#include <stdlib.h>
#include <string.h>
#include <assert.h>

struct rec { struct rec *next; int n; };

int main(void)
{
    struct rec *a = malloc(sizeof(struct rec));
    struct rec *b = calloc(1, sizeof(struct rec));
    struct rec c;

    memset(a, 0, sizeof(void *));
    assert(a->next == NULL && a->n == 0 && b->next == NULL); // BUG
    a->next = b;
    b->n = 7;
    memcpy(&c, a, sizeof c);
    assert(c.next->n == 7);
    free(a);
    free(c.next);
    return 0;
}
