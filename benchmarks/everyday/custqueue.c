#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

typedef struct Customer {
    int id;
    int minutes;
    struct Customer *next;
} Customer;

typedef struct {
    Customer *front, *rear;
    int length;
} Queue;

void queue_init(Queue *q) { q->front = q->rear = NULL; q->length = 0; }
bool queue_empty(const Queue *q) { return q->length == 0; }

void enqueue(Queue *q, int id, int minutes)
{
    Customer *c = (Customer *)malloc(sizeof(Customer));
    if (!c) { perror("malloc"); exit(1); }
    c->id = id;
    c->minutes = minutes;
    c->next = NULL;
    if (queue_empty(q))
        q->front = c;
    else
        q->rear->next = c;
    q->rear = c;
    q->length++;
}

Customer *dequeue(Queue *q)
{
    if (queue_empty(q))
        return NULL;
    Customer *c = q->front;
    q->front = c->next;
    if (q->front == NULL)
        q->rear = NULL;
    q->length--;
    return c;
}

int main(void)
{
    Queue q;
    int clock, next_id = 1, served = 0;

    queue_init(&q);
    for (clock = 0; clock < 480; clock++) {
        if (rand() % 4 == 0)
            enqueue(&q, next_id++, 1 + rand() % 6);
        if (clock % 3 == 0) {
            Customer *c = dequeue(&q);
            if (c) {
                printf("%3d: serving customer %d (%d min)\n", clock, c->id, c->minutes);
                served++;
                free(c);
            }
        }
    }
    printf("served %d, still waiting %d\n", served, q.length);
    while (!queue_empty(&q)) {
        Customer *c = dequeue(&q);
        printf("sent home: %d\n", c->id);
        free(c);
    }
    return 0;
}
