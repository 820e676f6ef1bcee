// Links the last node of the array to the one after it.
// expect: main violated bounds

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
        pool[i].next = &pool[i + 1];
    }
    for (p = pool; p; p = p->next)
        sum += p->v; // BUG
    assert(sum == 3);
    free(pool);
    return 0;
}
