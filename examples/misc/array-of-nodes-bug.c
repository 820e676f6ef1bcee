// Frees the nodes of an array one by one.
// expect: main violated invalid-free

#include <stdlib.h>
#include <assert.h>

struct node { struct node *next; int v; };

int main(void)
{
    struct node *pool = malloc(3 * sizeof(struct node));
    struct node *p;
    int i, sum = 0;

    for (i = 0; i < 3; i++) {
        pool[i].v = i;
        pool[i].next = i < 2 ? &pool[i + 1] : NULL;
    }
    for (p = pool; p; p = p->next)
        sum += p->v;
    assert(sum == 3);
    for (p = pool->next; p; p = p->next)
        free(p); // BUG
    free(pool);
    return 0;
}
