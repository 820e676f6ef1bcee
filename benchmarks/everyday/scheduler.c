/* A round-robin scheduler over a run queue and a wait queue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LEN 16
#define QUANTUM 2

enum state { READY, WAITING, DONE };

struct task {
    char name[NAME_LEN];
    int burst;
    int wait;
    enum state state;
    struct task *next;
};

struct queue {
    struct task *head;
    struct task **tail;
};

static void queue_init(struct queue *q)
{
    q->head = NULL;
    q->tail = &q->head;
}

static void enqueue(struct queue *q, struct task *t)
{
    t->next = NULL;
    *q->tail = t;
    q->tail = &t->next;
}

static struct task *dequeue(struct queue *q)
{
    struct task *t = q->head;
    if (t) {
        q->head = t->next;
        if (!q->head)
            q->tail = &q->head;
    }
    return t;
}

static struct task *task_new(const char *name, int burst, int wait)
{
    struct task *t = malloc(sizeof(*t));
    if (!t) {
        perror("task_new");
        exit(1);
    }
    strncpy(t->name, name, NAME_LEN - 1);
    t->name[NAME_LEN - 1] = '\0';
    t->burst = burst;
    t->wait = wait;
    t->state = READY;
    t->next = NULL;
    return t;
}

static void wake(struct queue *waiting, struct queue *ready)
{
    struct queue still;
    struct task *t;

    queue_init(&still);
    while ((t = dequeue(waiting)) != NULL) {
        if (--t->wait <= 0) {
            t->state = READY;
            enqueue(ready, t);
        } else {
            enqueue(&still, t);
        }
    }
    queue_init(waiting);
    while ((t = dequeue(&still)) != NULL)
        enqueue(waiting, t);
}

int main(void)
{
    struct queue ready, waiting;
    struct task *t;
    int clock = 0;

    queue_init(&ready);
    queue_init(&waiting);
    enqueue(&ready, task_new("init", 3, 0));
    enqueue(&ready, task_new("shell", 5, 2));
    enqueue(&ready, task_new("a rather long name", 1, 1));
    while (ready.head || waiting.head) {
        t = dequeue(&ready);
        if (t) {
            t->burst -= QUANTUM;
            printf("%3d %s\n", clock, t->name);
            if (t->burst <= 0) {
                t->state = DONE;
                free(t);
            } else if (t->wait > 0) {
                t->state = WAITING;
                enqueue(&waiting, t);
            } else {
                enqueue(&ready, t);
            }
        }
        wake(&waiting, &ready);
        clock++;
    }
    return 0;
}
