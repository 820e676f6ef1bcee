#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct cell {
    uint8_t small;
    int64_t big;
    struct cell *next;
};

size_t where(void) { return offsetof(struct cell, next); }

int main(void) {
    struct cell *c = malloc(sizeof *c);
    assert(c);
    memset(c, 0, sizeof *c);
    c->small = UCHAR_MAX;
    c->big = INT64_C(5);
    assert(c->small == 255 && c->next == NULL);
    free(c);
    srand(time(NULL));
    return rand() % 2 ? INT_MAX : EXIT_SUCCESS;
}
