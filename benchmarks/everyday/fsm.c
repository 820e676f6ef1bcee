/* A traffic light as a table of transitions, with actions that are functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { RED, GREEN, AMBER, OFF, STATES };
enum input { TICK, FAIL, RESET, INPUTS };

struct light {
    enum state state;
    unsigned ticks;
    char *log;
    size_t used, room;
};

typedef void (*action)(struct light *, enum input);

static void note(struct light *l, char c)
{
    if (l->used + 1 >= l->room) {
        size_t room = l->room ? l->room * 2 : 4;
        char *log = realloc(l->log, room);
        if (!log) return;
        l->log = log;
        l->room = room;
    }
    l->log[l->used++] = c;
    l->log[l->used] = '\0';
}

static void go(struct light *l, enum input in)
{
    (void)in;
    l->ticks++;
    note(l, 'g');
}

static void stop(struct light *l, enum input in)
{
    if (in == TICK) l->ticks++;
    note(l, 's');
}

static void blink(struct light *l, enum input in)
{
    (void)in;
    note(l, 'b');
}

struct transition {
    enum state to;
    action run;
};

static const struct transition table[STATES][INPUTS] = {
    [RED] = { [TICK] = { GREEN, go }, [FAIL] = { OFF, blink }, [RESET] = { RED, NULL } },
    [GREEN] = { [TICK] = { AMBER, stop }, [FAIL] = { OFF, blink }, [RESET] = { RED, stop } },
    [AMBER] = { [TICK] = { RED, stop }, [FAIL] = { OFF, blink }, [RESET] = { RED, stop } },
    [OFF] = { [TICK] = { OFF, blink }, [FAIL] = { OFF, NULL }, [RESET] = { RED, stop } },
};

static int read_input(char c, enum input *in)
{
    const char *names = "tfr";
    const char *at = strchr(names, c);
    if (c == '\0' || at == NULL) return 0;
    *in = (enum input)(at - names);
    return 1;
}

static void step(struct light *l, enum input in)
{
    const struct transition *t = &table[l->state][in];
    if (t->run != NULL) t->run(l, in);
    l->state = t->to;
}

int main(void)
{
    static const char script[] = "tt?ftrt";
    struct light light = { RED, 0, NULL, 0, 0 };
    int skipped = 0;

    for (const char *p = script; *p; p++) {
        enum input in;
        if (read_input(*p, &in))
            step(&light, in);
        else
            skipped++;
    }
    printf("%u ticks, %d skipped, %s\n", light.ticks, skipped, light.log ? light.log : "-");
    free(light.log);
    return light.state == GREEN ? 0 : 1;
}
