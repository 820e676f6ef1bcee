#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 2

/* The entry that was used last is the first. */
struct entry {
    char key[8];
    int value;
    struct entry *newer, *older;
};

struct cache {
    struct entry *newest, *oldest;
    int size;
};

static void detach(struct cache *c, struct entry *e)
{
    if (e->newer)
        e->newer->older = e->older;
    else
        c->newest = e->older;
    if (e->older)
        e->older->newer = e->newer;
    else
        c->oldest = e->newer;
}

static void attach(struct cache *c, struct entry *e)
{
    e->newer = NULL;
    e->older = c->newest;
    if (c->newest)
        c->newest->newer = e;
    else
        c->oldest = e;
    c->newest = e;
}

static struct entry *get(struct cache *c, const char *key)
{
    struct entry *e;
    for (e = c->newest; e; e = e->older)
        if (!strcmp(e->key, key)) {
            detach(c, e);
            attach(c, e);
            return e;
        }
    return NULL;
}

static void put(struct cache *c, const char *key, int value)
{
    struct entry *e = get(c, key);
    if (!e) {
        if (c->size == CAPACITY) {
            e = c->oldest;
            detach(c, e);
        } else {
            e = malloc(sizeof *e);
            if (!e)
                abort();
            c->size++;
        }
        snprintf(e->key, sizeof e->key, "%s", key);
        attach(c, e);
    }
    e->value = value;
}

static void clear(struct cache *c)
{
    struct entry *e = c->newest;
    while (e) {
        struct entry *older = e->older;
        free(e);
        e = older;
    }
}

int main(void)
{
    struct cache c = { NULL, NULL, 0 };
    struct entry *e;

    put(&c, "one", 1);
    put(&c, "two", 2);
    get(&c, "one");
    put(&c, "three", 3);
    e = get(&c, "two");
    printf("two is %s\n", e ? "there" : "gone");
    clear(&c);
    return 0;
}
