/* A hash map from anything to anything, by the functions that it is given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4

typedef struct map {
    struct entry *buckets[BUCKETS];
    unsigned (*hash)(const void *key);
    int (*equal)(const void *a, const void *b);
    void (*free_key)(void *);
    void (*free_value)(void *);
    size_t size;
} map;

struct entry {
    void *key, *value;
    struct entry *next;
};

static void map_init(map *m, unsigned (*hash)(const void *), int (*equal)(const void *, const void *),
                     void (*free_key)(void *), void (*free_value)(void *))
{
    memset(m, 0, sizeof *m);
    m->hash = hash;
    m->equal = equal;
    m->free_key = free_key;
    m->free_value = free_value;
}

static struct entry **slot(map *m, const void *key)
{
    struct entry **at = &m->buckets[m->hash(key) % BUCKETS];
    while (*at && !m->equal((*at)->key, key)) at = &(*at)->next;
    return at;
}

static int map_put(map *m, void *key, void *value)
{
    struct entry **at = slot(m, key), *e = *at;
    if (e) {
        if (m->free_key) m->free_key(key);
        if (m->free_value) m->free_value(e->value);
        e->value = value;
        return 0;
    }
    e = malloc(sizeof *e);
    if (!e) return -1;
    e->key = key;
    e->value = value;
    e->next = NULL;
    *at = e;
    m->size++;
    return 1;
}

static void *map_get(map *m, const void *key)
{
    struct entry *e = *slot(m, key);
    return e ? e->value : NULL;
}

static void map_remove_if(map *m, int (*unwanted)(const void *key, const void *value))
{
    for (int i = 0; i < BUCKETS; i++) {
        struct entry **at = &m->buckets[i];
        while (*at) {
            struct entry *e = *at;
            if (unwanted(e->key, e->value)) {
                *at = e->next;
                if (m->free_key) m->free_key(e->key);
                if (m->free_value) m->free_value(e->value);
                free(e);
                m->size--;
            } else {
                at = &e->next;
            }
        }
    }
}

static int anything(const void *key, const void *value)
{
    (void)key;
    (void)value;
    return 1;
}

static unsigned string_hash(const void *key)
{
    unsigned h = 5381;
    for (const char *s = key; *s; s++) h = h * 33 + (unsigned char)*s;
    return h;
}

static int string_equal(const void *a, const void *b)
{
    return strcmp(a, b) == 0;
}

static int is_small(const void *key, const void *value)
{
    (void)key;
    return *(const int *)value < 2;
}

static int count(map *m, const char *word)
{
    int *n = map_get(m, word);
    char *key;
    if (n) return ++*n;
    key = strdup(word);
    n = malloc(sizeof *n);
    if (!key || !n) exit(1);
    *n = 1;
    if (map_put(m, key, n) < 0) exit(1);
    return 1;
}

int main(void)
{
    static const char *const words[] = { "a", "b", "a", "cd" };
    map m;
    int *n;

    map_init(&m, string_hash, string_equal, free, free);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) count(&m, words[i]);
    n = map_get(&m, "a");
    printf("%zu words, a %d times\n", m.size, n ? *n : 0);
    map_remove_if(&m, is_small);
    if (m.size != 1 || map_get(&m, "b")) return 1;
    map_remove_if(&m, anything);
    return m.size == 0 ? 0 : 1;
}
