/* A pool of fixed-size blocks with a free list threaded through them. */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#define BLOCKS 4

union block {
    union block *next;
    char bytes[32];
};

static union block storage[BLOCKS];
static union block *free_list;

static void pool_init(void)
{
    int i;
    for (i = 0; i < BLOCKS - 1; i++)
        storage[i].next = &storage[i + 1];
    storage[BLOCKS - 1].next = NULL;
    free_list = storage;
}

static void *pool_alloc(void)
{
    union block *b = free_list;
    if (b == NULL)
        return NULL;
    free_list = b->next;
    return b->bytes;
}

static void pool_free(void *p)
{
    union block *b = p;
    assert(b >= storage && b < storage + BLOCKS);
    b->next = free_list;
    free_list = b;
}

int main(void)
{
    char *p[BLOCKS + 1];
    int i;

    pool_init();
    for (i = 0; i <= BLOCKS; i++)
        p[i] = pool_alloc();
    assert(p[BLOCKS] == NULL);
    for (i = 0; i < BLOCKS; i++) {
        snprintf(p[i], sizeof storage[0].bytes, "block %d", i);
        puts(p[i]);
    }
    for (i = 0; i < BLOCKS; i++)
        pool_free(p[i]);
    assert(pool_alloc() == p[BLOCKS - 1]);
    return 0;
}
