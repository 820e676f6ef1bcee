#include "queue.h"

#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

struct queue {
    struct cell *first, **end;
    size_t length;
};

struct queue *queue_create(void)
{
    struct queue *q = malloc(sizeof *q);
    if (q == NULL)
        return NULL;
    q->first = NULL;
    q->end = &q->first;
    q->length = 0;
    return q;
}

int queue_put(struct queue *q, int value)
{
    struct cell *c = malloc(sizeof *c);
    if (c == NULL)
        return -1;
    c->value = value;
    c->next = NULL;
    *q->end = c; // BUG
    q->end = &c->next;
    q->length++;
    return 0;
}

int queue_get(struct queue *q, int *value)
{
    struct cell *c = q->first;
    if (c == NULL)
        return -1;
    *value = c->value;
    q->first = c->next;
    q->length--;
    free(c);
    return 0;
}

size_t queue_length(const struct queue *q)
{
    return q->length;
}

void queue_destroy(struct queue *q)
{
    int ignored;
    while (queue_get(q, &ignored) == 0)
        continue;
    free(q);
}
