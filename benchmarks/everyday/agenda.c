#include <stdio.h>
#include <stdlib.h>

typedef struct task {
    int id;
    int priority;
    unsigned due;
    struct task *next;
} task_t;

static task_t *pending = NULL;

static void schedule(int id, int priority, unsigned due)
{
    task_t *t = malloc(sizeof(task_t));
    task_t **pos;
    if (!t) {
        fprintf(stderr, "schedule: out of memory\n");
        return;
    }
    t->id = id;
    t->priority = priority;
    t->due = due;
    pos = &pending;
    while (*pos != NULL &&
           ((*pos)->due < due || ((*pos)->due == due && (*pos)->priority >= priority)))
        pos = &(*pos)->next;
    t->next = *pos;
    *pos = t;
}

static int cancel(int id)
{
    task_t **pos;
    for (pos = &pending; *pos; pos = &(*pos)->next) {
        if ((*pos)->id == id) {
            task_t *dead = *pos;
            *pos = dead->next;
            free(dead);
            return 1;
        }
    }
    return 0;
}

static int run_until(unsigned now)
{
    int ran = 0;
    while (pending != NULL && pending->due <= now) {
        task_t *t = pending;
        pending = t->next;
        printf("[%u] task %d (prio %d)\n", now, t->id, t->priority);
        free(t);
        ran++;
    }
    return ran;
}

int main(void)
{
    unsigned now;
    int i;
    for (i = 0; i < 12; i++)
        schedule(i, rand() % 5, (unsigned)(rand() % 40));
    if (cancel(3))
        puts("task 3 cancelled");
    if (!cancel(99))
        puts("no task 99");
    for (now = 0; now < 40; now += 5)
        printf("%d ran\n", run_until(now));
    run_until(1000);
    if (pending != NULL)
        puts("still something there?");
    while (pending != NULL)
        cancel(pending->id);
    return 0;
}
