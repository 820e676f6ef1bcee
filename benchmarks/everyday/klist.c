#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct list_head {
    struct list_head *next, *prev;
};

static void list_init(struct list_head *h)
{
    h->next = h->prev = h;
}

static void list_add_tail(struct list_head *n, struct list_head *h)
{
    n->prev = h->prev;
    n->next = h;
    h->prev->next = n;
    h->prev = n;
}

static void list_del(struct list_head *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
}

struct task {
    int priority;
    char name[8];
    struct list_head link;
};

static struct task *task_new(const char *name, int priority)
{
    struct task *t = malloc(sizeof *t);
    if (t == NULL) {
        perror("malloc");
        exit(1);
    }
    strncpy(t->name, name, sizeof t->name - 1);
    t->name[sizeof t->name - 1] = '\0';
    t->priority = priority;
    return t;
}

/* The task with the highest priority leaves the list. */
static struct task *next_task(struct list_head *tasks)
{
    struct task *best = NULL;
    struct list_head *at;
    for (at = tasks->next; at != tasks; at = at->next) {
        struct task *t = container_of(at, struct task, link);
        if (best == NULL || t->priority > best->priority)
            best = t;
    }
    if (best != NULL)
        list_del(&best->link);
    return best;
}

int main(void)
{
    struct list_head tasks;
    struct task *t;

    list_init(&tasks);
    list_add_tail(&task_new("read", 2)->link, &tasks);
    list_add_tail(&task_new("calculate", 9)->link, &tasks);
    list_add_tail(&task_new("write", 5)->link, &tasks);
    while ((t = next_task(&tasks)) != NULL) {
        printf("%s (%d)\n", t->name, t->priority);
        free(t);
    }
    return 0;
}
