#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef struct job {
    struct job *next;
    int done;
} job;

static job *jobs;

static void reap(void)
{
    job **p = &jobs;
    while (*p) { // BUG
        job *j = *p;
        if (j->done) {
            *p = j->next;
            free(j);
    }
    p = &j->next;
    }
}

int main(void)
{
    job *j;
    while (__VERIFIER_nondet_int()) {
        j = malloc(sizeof(job));
        if (!j)
            return 1;
        j->done = __VERIFIER_nondet_int() != 0;
        j->next = jobs;
        jobs = j;
    }
    reap();
    for (j = jobs; j; j = j->next)
        if (j->done)
            reach_error();
    for (j = jobs; j; j = j->next)
        j->done = 1;
    reap();
    if (jobs)
        reach_error();
    return 0;
}
