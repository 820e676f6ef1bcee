/* Orders tasks so that each comes after those it needs. Edges are read as pairs of letters. */
#include <stdio.h>
#include <stdlib.h>

#define TASKS 4

struct edge {
    int to;
    struct edge *next;
};

struct wait {
    int task;
    struct wait *next;
};

static struct edge *edges[TASKS];
static int needs[TASKS];

static int connect(int from, int to)
{
    struct edge *e = malloc(sizeof *e);
    if (!e)
        return 0;
    e->to = to;
    e->next = edges[from];
    edges[from] = e;
    needs[to]++;
    return 1;
}

static void enqueue(struct wait **first, struct wait **last, int task)
{
    struct wait *w = malloc(sizeof *w);
    if (!w)
        exit(1);
    w->task = task;
    w->next = NULL;
    if (*last)
        (*last)->next = w;
    else
        *first = w;
    *last = w;
}

static int read_task(void)
{
    int c = getchar();
    return c >= 'a' && c < 'a' + TASKS ? c - 'a' : -1;
}

int main(void)
{
    struct wait *first = NULL, *last = NULL;
    int i, done = 0, from, to;

    while ((from = read_task()) >= 0 && (to = read_task()) >= 0)
        if (!connect(from, to))
            break;
    for (i = 0; i < TASKS; i++)
        if (needs[i] == 0)
            enqueue(&first, &last, i);
    while (first) {
        struct wait *w = first;
        struct edge *e;
        first = w->next;
        putchar('a' + w->task);
        done++;
        while ((e = edges[w->task]) != NULL) {
            edges[w->task] = e->next;
            if (--needs[e->to] == 0)
                enqueue(&first, &last, e->to);
            free(e);
        }
        free(w);
    }
    if (done < TASKS)
        printf(": the rest needs itself");
    putchar('\n');
    for (i = 0; i < TASKS; i++)
        while (edges[i]) {
            struct edge *e = edges[i];
            edges[i] = e->next;
            free(e);
        }
    return 0; // BUG
}
