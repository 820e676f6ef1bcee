// A pool behind a static local: what is given back is handed out again.
// expect: main safe

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
    struct blk *a = pool(NULL), *b = pool(NULL), *c;

    assert(a != b);
    pool(a);
    c = pool(NULL);
    assert(c == a);
    free(b);
    free(c);
    return 0;
}
