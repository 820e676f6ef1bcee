/* Timers in a list that is sorted by time; each one fires once or comes back after its period. */
#include <stdio.h>
#include <stdlib.h>

struct timer {
    unsigned due;
    unsigned period;
    struct timer *next;
};

static struct timer *timers;

static void schedule(struct timer *t)
{
    struct timer **at = &timers;

    while (*at && (*at)->due <= t->due)
        at = &(*at)->next;
    t->next = *at;
    *at = t;
}

static int start(unsigned due, unsigned period)
{
    struct timer *t = malloc(sizeof *t);

    if (!t)
        return 0;
    t->due = due;
    t->period = period;
    schedule(t);
    return 1;
}

static unsigned fire(unsigned now)
{
    unsigned fired = 0;

    while (timers && timers->due <= now) {
        struct timer *t = timers;
        timers = t->next;
        fired++;
        if (t->period) {
            t->due = now + t->period;
            if (t->due <= now)
                t->due = now + 1;
        }
        if (t->period && t->due > now)
            schedule(t);
        else
            free(t);
    }
    return fired;
}

static void stop_all(void)
{
    struct timer *t;

    while ((t = timers) != NULL) {
        timers = t->next;
        free(t);
    }
}

int main(void)
{
    unsigned due, period, now = 0;

    while (scanf("%u %u", &due, &period) == 2) {
        if (!start(due, period)) {
            fprintf(stderr, "out of memory\n");
            stop_all();
            return 1;
        }
        now = now > due ? now : due;
        printf("%u\n", fire(now));
    }
    stop_all();
    return 0;
}
