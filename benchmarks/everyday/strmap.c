#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4

struct entry {
    char *key;
    int value;
    struct entry *next;
};

struct map {
    struct entry *buckets[BUCKETS];
};

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h % BUCKETS;
}

static struct entry *map_find(struct map *m, const char *key)
{
    struct entry *e;
    for (e = m->buckets[hash(key)]; e != NULL; e = e->next)
        if (strcmp(e->key, key) == 0)
            return e;
    return NULL;
}

static int map_put(struct map *m, const char *key, int value)
{
    struct entry *e = map_find(m, key);
    if (e == NULL) {
        unsigned h = hash(key);
        e = malloc(sizeof *e);
        if (e == NULL)
            return -1;
        e->key = strdup(key);
        if (e->key == NULL) {
            free(e);
            return -1;
        }
        e->next = m->buckets[h];
        m->buckets[h] = e;
    }
    e->value = value;
    return 0;
}

static void map_free(struct map *m)
{
    int i;
    for (i = 0; i < BUCKETS; i++) {
        struct entry *e = m->buckets[i];
        while (e != NULL) {
            struct entry *next = e->next;
            free(e->key);
            free(e);
            e = next;
        }
        m->buckets[i] = NULL;
    }
}

int main(void)
{
    struct map m = { { NULL } };
    struct entry *e;

    if (map_put(&m, "one", 1) || map_put(&m, "two", 2) || map_put(&m, "one", 11)) {
        fprintf(stderr, "out of memory\n");
        map_free(&m);
        return 1;
    }
    e = map_find(&m, "one");
    if (e != NULL)
        printf("one = %d\n", e->value);
    e = map_find(&m, "three");
    if (e != NULL)
        printf("three = %d\n", e->value);
    map_free(&m);
    return 0;
}
