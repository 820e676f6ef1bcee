/* Reads a file of chunks: "IMG1", a count, and that many chunks of a length and bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 8

struct chunk {
    int length;
    unsigned char data[ROOM];
    struct chunk *next;
};

static int read_byte(void)
{
    int c = getchar();
    return c == EOF ? -1 : c & 0xff;
}

static int has_magic(void)
{
    char magic[4];
    int i;
    for (i = 0; i < 4; i++) {
        int c = read_byte();
        if (c < 0)
            return 0;
        magic[i] = (char)c;
    }
    return memcmp(magic, "IMG1", 4) == 0;
}

static struct chunk *read_chunk(void)
{
    struct chunk *c;
    int i, length = read_byte();
    if (length < 0)
        return NULL;
    c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->length = length;
    for (i = 0; i < length; i++) {
        int b = read_byte();
        if (b < 0) {
            free(c);
            return NULL;
        }
        c->data[i] = (unsigned char)b; // BUG
    }
    return c;
}

static void drop(struct chunk *c)
{
    while (c) {
        struct chunk *next = c->next;
        free(c);
        c = next;
    }
}

int main(void)
{
    struct chunk *all = NULL, **end = &all, *c;
    int count, sum = 0, i;

    if (!has_magic()) {
        fprintf(stderr, "this is no image\n");
        return 1;
    }
    count = read_byte();
    for (i = 0; i < count; i++) {
        c = read_chunk();
        if (!c) {
            fprintf(stderr, "a chunk is broken\n");
            drop(all);
            return 1;
        }
        *end = c;
        end = &c->next;
    }
    for (c = all; c; c = c->next)
        for (i = 0; i < c->length; i++)
            sum += c->data[i];
    printf("%d chunks, sum %d\n", count < 0 ? 0 : count, sum);
    drop(all);
    return 0;
}
