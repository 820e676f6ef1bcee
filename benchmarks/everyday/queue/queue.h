#ifndef QUEUE_H
#define QUEUE_H

#include <stddef.h>

struct queue;

struct queue *queue_create(void);
int queue_put(struct queue *q, int value);
int queue_get(struct queue *q, int *value);
size_t queue_length(const struct queue *q);
void queue_destroy(struct queue *q);

#endif
