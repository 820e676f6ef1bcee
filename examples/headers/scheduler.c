// Two lists in one header, and a header inside a header.
// test: --engine pdr-forall
// expect: wake_all verified
// expect: wake_last violated leak
// expect: flush verified
// expect: destroy verified
// expect: destroy_half violated leak

#include <stdlib.h>

struct task {
    struct task *next;
    int ready;
};

struct sched {
    struct task *run, *wait;
};

struct cpu {
    struct sched *sched;
    int id;
};

/*@ predicate lists(struct sched *s) =
      reach(next, s->run, NULL) && reach(next, s->wait, NULL) &&
      \forall struct task *t; t != NULL && reach(next, s->run, t) ==> !reach(next, s->wait, t); */

/*@ requires s != NULL && lists(s);
    ensures  reach(next, s->run, NULL) && s->wait == NULL; */
void wake_all(struct sched *s)
{
    while (s->wait) {
        struct task *t = s->wait;
        s->wait = t->next;
        t->next = s->run;
        s->run = t;
    }
}

/*@ requires s != NULL && lists(s); */
void wake_last(struct sched *s)
{
    while (s->wait) {
        struct task *t = s->wait;
        s->wait = t->next;
        t->next = NULL;
        s->run = t;
    }
} // BUG

/*@ requires c != NULL && c->sched != NULL && lists(c->sched);
    ensures  c->sched->run == NULL; */
void flush(struct cpu *c)
{
    struct sched *s = c->sched;
    while (s->run) {
        struct task *t = s->run;
        s->run = t->next;
        free(t);
    }
}

/*@ requires c != NULL && c->sched != NULL && lists(c->sched) && c->sched->wait == NULL;
    ensures  c->sched == NULL; */
void destroy(struct cpu *c)
{
    struct sched *s = c->sched;
    while (s->run) {
        struct task *t = s->run;
        s->run = t->next;
        free(t);
    }
    free(s);
    c->sched = NULL;
}

/*@ requires c != NULL && c->sched != NULL && lists(c->sched);
    ensures  c->sched == NULL; */
void destroy_half(struct cpu *c)
{
    struct sched *s = c->sched;
    while (s->run) {
        struct task *t = s->run;
        s->run = t->next;
        free(t);
    }
    free(s);
    c->sched = NULL;
} // BUG
