// The same block is given back twice, so the pool hands it out twice.
// expect: main violated double-free

#include <stdlib.h>
#include <assert.h>

struct blk { struct blk *next; };

static struct blk *pool(struct blk *back)
{
    static struct blk *spare;
    struct blk *b;

    if (back) {
        back->next = spare;
        spare = back;
        return NULL;
    }
    b = spare;
    if (b)
        spare = b->next;
    else
        b = malloc(sizeof *b);
    b->next = NULL;
    return b;
}

int main(void)
{
    struct blk *a = pool(NULL), *b, *c;

    pool(a);
    pool(a);
    b = pool(NULL);
    c = pool(NULL);
    free(b);
    free(c); // BUG
    return 0;
}
