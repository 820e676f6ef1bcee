/* A scheduler: tasks are functions with a state of their own, run in the order of their time, and ask
   to be run again. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct task {
    unsigned when;
    int (*run)(void *state, unsigned now); /* how long to wait, or -1 for never again */
    void (*finish)(void *state);
    void *state;
    struct task *next;
};

struct scheduler {
    struct task *queue;
    unsigned now;
    int runs;
};

static void enqueue(struct scheduler *s, struct task *t)
{
    struct task **at = &s->queue;
    while (*at && (*at)->when <= t->when) at = &(*at)->next;
    t->next = *at;
    *at = t;
}

static int spawn(struct scheduler *s, unsigned delay, int (*run)(void *, unsigned),
                 void (*finish)(void *), void *state)
{
    struct task *t = malloc(sizeof *t);
    if (t == NULL) {
        if (finish) finish(state);
        return -1;
    }
    t->when = s->now + delay;
    t->run = run;
    t->finish = finish;
    t->state = state;
    enqueue(s, t);
    return 0;
}

static void drop(struct task *t)
{
    if (t->finish) t->finish(t->state);
    free(t);
}

static void run_all(struct scheduler *s, unsigned until)
{
    while (s->queue && s->queue->when <= until) {
        struct task *t = s->queue;
        int again;
        s->queue = t->next;
        s->now = t->when;
        again = t->run(t->state, s->now);
        s->runs++;
        if (again < 0) {
            drop(t);
        }
        t->when += (unsigned)again; // BUG
        enqueue(s, t);
    }
}

static void clear(struct scheduler *s)
{
    while (s->queue) {
        struct task *t = s->queue;
        s->queue = t->next;
        drop(t);
    }
}

struct blink {
    int left;
    int *lit;
};

static int blink(void *state, unsigned now)
{
    struct blink *b = state;
    (void)now;
    ++*b->lit;
    return --b->left > 0 ? 2 : -1;
}

static int tick(void *state, unsigned now)
{
    int *ticks = state;
    *ticks = (int)now;
    return 3;
}

int main(void)
{
    struct scheduler s = { NULL, 0, 0 };
    int lit = 0, last = -1;
    struct blink *b = malloc(sizeof *b);

    if (b == NULL) return 1;
    b->left = 3;
    b->lit = &lit;
    if (spawn(&s, 1, blink, free, b) || spawn(&s, 0, tick, NULL, &last)) {
        clear(&s);
        return 1;
    }
    run_all(&s, 8);
    printf("%d runs, lit %d times, last tick at %d\n", s.runs, lit, last);
    assert(lit == 3 && last == 6 && s.runs == 6);
    clear(&s);
    return 0;
}
