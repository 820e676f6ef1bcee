// Copies more than the target can hold.
// expect: main violated bounds

#include <stdlib.h>
#include <string.h>
#include <assert.h>

struct rec { struct rec *next; int n; };

int main(void)
{
    struct rec *a = malloc(sizeof(struct rec));
    struct rec *b = calloc(1, sizeof(struct rec));
    struct rec c;

    memset(a, 0, sizeof(*a));
    assert(a->next == NULL && a->n == 0 && b->next == NULL);
    a->next = b;
    b->n = 7;
    memcpy(&c.n, a, sizeof c); // BUG
    assert(c.next->n == 7);
    free(a);
    free(c.next);
    return 0;
}
