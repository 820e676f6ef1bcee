/* A cache of pairs of numbers with few slots; the oldest pair makes room for a new one. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 4

struct pair {
    int key, value;
    struct pair *prev, *next;
};

struct cache {
    struct pair *newest, *oldest;
    int count;
};

static void detach(struct cache *c, struct pair *p)
{
    if (p->prev)
        p->prev->next = p->next;
    else
        c->newest = p->next;
    if (p->next)
        p->next->prev = p->prev;
    else
        c->oldest = p->prev;
    c->count--;
}

static void attach(struct cache *c, struct pair *p)
{
    p->prev = NULL;
    p->next = c->newest;
    if (c->newest)
        c->newest->prev = p;
    else
        c->oldest = p;
    c->newest = p;
    c->count++;
}

static struct pair *look(struct cache *c, int key)
{
    struct pair *p;

    for (p = c->newest; p; p = p->next)
        if (p->key == key)
            break;
    if (p && p != c->newest) {
        detach(c, p);
        attach(c, p);
    }
    return p;
}

static int keep(struct cache *c, int key, int value)
{
    struct pair *p = look(c, key);

    if (p) {
        p->value = value;
        return 1;
    }
    if (c->count == MOST) {
        p = c->oldest;
        detach(c, p);
    } else {
        p = malloc(sizeof *p);
        if (!p)
            return 0;
    }
    p->key = key;
    p->value = value;
    attach(c, p);
    return 1;
}

int main(void)
{
    struct cache cache = { NULL, NULL, 0 };
    int key, value;

    while (scanf("%d %d", &key, &value) == 2) {
        if (!keep(&cache, key, value)) {
            perror("pairs");
            break;
        }
    }
    for (struct pair *p = cache.newest; p; p = p->next)
        printf("%d=%d\n", p->key, p->value);
    while (cache.newest) {
        struct pair *p = cache.newest;
        detach(&cache, p);
        free(p);
    }
    return 0;
}
