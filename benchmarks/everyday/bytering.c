#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>

#define RING 16u

struct ring {
    uint8_t data[RING];
    unsigned head, tail, fill;
};

static bool ring_put(struct ring *r, uint8_t b)
{
    if (r->fill == RING)
        return false;
    r->data[r->head] = b;
    r->head = (r->head + 1) % RING;
    r->fill++;
    return true;
}

static bool ring_get(struct ring *r, uint8_t *b)
{
    if (r->fill == 0)
        return false;
    *b = r->data[r->tail];
    r->tail = (r->tail + 1) % RING;
    r->fill--;
    return true;
}

int main(void)
{
    static struct ring r;
    int c;
    uint8_t b;
    unsigned long dropped = 0;

    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            while (ring_get(&r, &b))
                putchar(b);
            putchar('\n');
        } else if (!ring_put(&r, (uint8_t)c)) {
            dropped++;
        }
    }
    if (dropped)
        fprintf(stderr, "%lu bytes dropped\n", dropped);
    return 0;
}
