/* Hash table of integers with chaining that doubles when it is full. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct entry {
    uint32_t key;
    int value;
    struct entry *next;
} entry;

typedef struct map {
    entry **buckets;
    size_t capacity, count;
} map;

static size_t slot(const map *m, uint32_t key)
{
    return (key * 2654435761u) % m->capacity;
}

static map *map_create(size_t capacity)
{
    map *m = malloc(sizeof(map));
    if (m == NULL)
        return NULL;
    m->buckets = calloc(capacity, sizeof(entry *));
    if (m->buckets == NULL) {
        free(m);
        return NULL;
    }
    m->capacity = capacity;
    m->count = 0;
    return m;
}

static int map_grow(map *m)
{
    size_t i, capacity = m->capacity * 2;
    entry **old = m->buckets;
    size_t n = m->capacity;
    entry **fresh = calloc(capacity, sizeof(entry *));

    if (fresh == NULL)
        return -1;
    m->buckets = fresh;
    m->capacity = capacity;
    for (i = 0; i < n; i++) {
        entry *e = old[i];
        while (e != NULL) {
            size_t s = slot(m, e->key);
            e->next = fresh[s];
            fresh[s] = e;
            e = e->next;
        }
    }
    free(old);
    return 0;
}

static int *map_at(map *m, uint32_t key)
{
    entry *e;
    for (e = m->buckets[slot(m, key)]; e != NULL; e = e->next)
        if (e->key == key)
            return &e->value;
    return NULL;
}

static int map_put(map *m, uint32_t key, int value)
{
    int *old = map_at(m, key);
    entry *e;
    size_t s;

    if (old != NULL) {
        *old = value;
        return 0;
    }
    if (m->count >= m->capacity && map_grow(m) != 0)
        return -1;
    e = malloc(sizeof(entry));
    if (e == NULL)
        return -1;
    s = slot(m, key);
    e->key = key;
    e->value = value;
    e->next = m->buckets[s];
    m->buckets[s] = e;
    m->count++;
    return 0;
}

static void map_destroy(map *m)
{
    size_t i;
    for (i = 0; i < m->capacity; i++) {
        while (m->buckets[i] != NULL) {
            entry *e = m->buckets[i];
            m->buckets[i] = e->next;
            free(e);
        }
    }
    free(m->buckets);
    free(m);
}

int main(void)
{
    map *m = map_create(2);
    uint32_t i;

    if (m == NULL)
        return EXIT_FAILURE;
    for (i = 0; i < 6; i++)
        if (map_put(m, i * i, (int)i) != 0)
            break;
    for (i = 0; i < 6; i++) {
        int *v = map_at(m, i * i);
        if (v != NULL)
            printf("%u -> %d\n", i * i, *v);
    }
    assert(map_at(m, 3) == NULL);
    map_destroy(m);
    return EXIT_SUCCESS; // BUG
}
