/* A set of words by open addressing; removed words leave a tombstone, so that others are found. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 4
#define TOMB ((char *)1)

static char *slots[SLOTS];
static int used;

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static int find(const char *word)
{
    unsigned i, h = hash(word);
    for (i = 0; i < SLOTS; i++) {
        unsigned at = (h + i) % SLOTS;
        if (slots[at] == NULL)
            return -1;
        if (strcmp(slots[at], word) == 0) // BUG
            return (int)at;
    }
    return -1;
}

static int add(const char *word)
{
    unsigned i, h = hash(word);
    char *own;
    if (find(word) >= 0)
        return 0;
    if (used == SLOTS)
        return 0;
    own = strdup(word);
    if (own == NULL)
        return 0;
    for (i = 0; i < SLOTS; i++) {
        unsigned at = (h + i) % SLOTS;
        if (slots[at] == NULL || slots[at] == TOMB) {
            slots[at] = own;
            used++;
            return 1;
        }
    }
    free(own);
    return 0;
}

static int drop(const char *word)
{
    int at = find(word);
    if (at < 0)
        return 0;
    free(slots[at]);
    slots[at] = TOMB;
    used--;
    return 1;
}

int main(void)
{
    static const char *words[] = {"ant", "bee", "cat", "dog", "elk"};
    int i, c;
    while ((c = getchar()) != EOF) {
        const char *word = words[(unsigned)c % 5];
        if (c & 64)
            drop(word);
        else
            add(word);
        assert(used >= 0 && used <= SLOTS);
    }
    for (i = 0; i < SLOTS; i++)
        if (slots[i] != NULL && slots[i] != TOMB) {
            puts(slots[i]);
            free(slots[i]);
        }
    return 0;
}
