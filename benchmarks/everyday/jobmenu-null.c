/* job scheduler: priority queue of jobs as sorted list, ids, cancel by id, menu from ints */
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
typedef struct job { int id, prio; struct job *next; } job_t;
typedef struct { job_t *first; int n, last_id; } sched_t;
static int submit(sched_t *s, int prio) {
    job_t **pp = &s->first, *j = malloc(sizeof *j);
    if (j == NULL) return -1;
    j->id = ++s->last_id; j->prio = prio;
    while (*pp && (*pp)->prio >= prio) pp = &(*pp)->next;
    j->next = *pp; *pp = j;
    s->n++;
    return j->id;
}
static int cancel(sched_t *s, int id) {
    job_t *p, *prev = NULL;
    for (p = s->first; p; prev = p, p = p->next)
        if (p->id == id) {
            prev->next = p->next; // BUG
            free(p);
            s->n--;
            return 1;
        }
    return 0;
}
static job_t *take(sched_t *s) {
    job_t *j = s->first;
    if (j) { s->first = j->next; s->n--; }
    return j;
}
int main(void) {
    sched_t s = { NULL, 0, 0 };
    int cmd, arg;
    while (printf("> "), fflush(stdout), scanf("%d %d", &cmd, &arg) == 2) {
        if (cmd == 1) submit(&s, arg);
        else if (cmd == 2) { if (!cancel(&s, arg)) printf("no job %d\n", arg); }
        else if (cmd == 3) {
            job_t *j = take(&s);
            if (j) { printf("run %d\n", j->id);
                free(j); }
        } else if (cmd == 0) break;
        assert(s.n >= 0 && (s.n == 0) == (s.first == NULL));
    }
    while (s.first) free(take(&s));
    return 0;
}
