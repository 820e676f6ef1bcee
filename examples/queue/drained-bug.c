// A queue that forgets its last item only at the front: when it is empty, the back is gone memory.
// expect: main violated use-after-free

#include <stdio.h>
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

struct queue {
    struct item *head, *tail;
    int count;
};

static void put(struct queue *q, int value)
{
    struct item *it = malloc(sizeof *it);
    it->value = value;
    it->next = NULL;
    if (q->tail != NULL)
        q->tail->next = it; // BUG
    else
        q->head = it;
    q->tail = it;
    q->count++;
}

static int take(struct queue *q)
{
    struct item *it = q->head;
    int value = it->value;
    q->head = it->next;
    q->count--;
    free(it);
    return value;
}

int main(void)
{
    struct queue q = {NULL, NULL, 0};
    for (int i = 0; i < 8; i++)
        put(&q, i);
    while (q.count > 0)
        printf("%d\n", take(&q));
    put(&q, 8);
    return 0;
}
