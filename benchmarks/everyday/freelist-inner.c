/* Nodes from blocks: freed nodes are kept in a list, and the blocks are given back in the end. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define PER_BLOCK 3

struct node {
    int value;
    struct node *next;
};

struct block {
    struct block *next;
    struct node nodes[PER_BLOCK];
};

struct pool {
    struct block *blocks;
    struct node *spare;
};

static struct node *pool_get(struct pool *pool)
{
    struct node *n;

    if (pool->spare == NULL) {
        struct block *b = malloc(sizeof *b);
        if (b == NULL)
            return NULL;
        for (int i = 0; i < PER_BLOCK; i++) {
            b->nodes[i].next = pool->spare;
            pool->spare = &b->nodes[i];
        }
        b->next = pool->blocks;
        pool->blocks = b;
    }
    n = pool->spare;
    pool->spare = n->next;
    n->next = NULL;
    return n;
}

static void pool_put(struct pool *pool, struct node *n)
{
    n->next = pool->spare;
    pool->spare = n;
}

static void pool_end(struct pool *pool)
{
    struct block *b = pool->blocks;

    while (b != NULL) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
    pool->blocks = NULL;
    pool->spare = NULL;
}

int main(void)
{
    struct pool pool = { NULL, NULL };
    struct node *list = NULL, *n;

    for (int i = 0; i < 8; i++) {
        n = pool_get(&pool);
        if (n == NULL)
            break;
        n->value = i * i;
        n->next = list;
        list = n;
        if (i % 3 == 2) {
            n = list;
            list = n->next;
            pool_put(&pool, n);
        }
    }
    for (n = list; n != NULL; n = n->next) {
        assert(n->value >= 0);
        printf("%d\n", n->value);
    }
    while (list != NULL) {
        n = list->next;
        free(list); // BUG
        list = n;
    }
    pool_end(&pool);
    return 0;
}
