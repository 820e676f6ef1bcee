// Takes the expired timers off a sorted list with a sentinel and runs them.

#include <stdlib.h>

struct timer {
    struct timer *next;
    int due;
    int fired;
};

/*@ requires head != NULL && reach(next, head, NULL);
    assigns  head->next, { t->fired | struct timer *t; reach1(next, head, t) },
             { t->next | struct timer *t; reach1(next, head, t) };
    ensures  reach(next, head, NULL) && reach(next, \result, NULL);
    ensures  \forall struct timer *t; t != NULL && reach(next, \result, t) ==> t->fired == 1;
    ensures  \forall struct timer *t; t != NULL && reach(next, head, t) ==> \old(reach(next, head, t)); */
struct timer *expire(struct timer *head, int now)
{
    struct timer *done = NULL;

    while (head->next != NULL && head->next->due <= now) {
        struct timer *t = head->next;
        head->next = t->next;
        t->fired = 1;
        t->next = done;
        done = t;
    }
    return done;
}
