/* An event bus: handlers with a context subscribe to kinds of events and may leave at any time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { KEY, MOUSE, QUIT, KINDS };

struct event {
    enum kind kind;
    int value;
};

typedef void (*handler_fn)(const struct event *e, void *context);

struct handler {
    struct handler *next;
    handler_fn fn;
    void *context;
};

struct bus {
    struct handler *handlers[KINDS];
    int dispatched;
};

static int bus_on(struct bus *bus, enum kind kind, handler_fn fn, void *context)
{
    struct handler *h = malloc(sizeof *h);
    if (h == NULL)
        return -1;
    h->fn = fn;
    h->context = context;
    h->next = bus->handlers[kind];
    bus->handlers[kind] = h;
    return 0;
}

static int bus_off(struct bus *bus, enum kind kind, handler_fn fn, const void *context)
{
    struct handler **link = &bus->handlers[kind];
    while (*link != NULL) {
        struct handler *h = *link;
        if (h->fn == fn && h->context == context) {
            *link = h->next;
            free(h);
            return 1;
        }
        link = &h->next;
    }
    return 0;
}

static void bus_emit(struct bus *bus, enum kind kind, int value)
{
    struct event e = { kind, value };
    struct handler *h = bus->handlers[kind];
    while (h != NULL) {
        h->fn(&e, h->context);
        bus->dispatched++;
        h = h->next; // BUG
    }
}

static void bus_close(struct bus *bus)
{
    for (int k = 0; k < KINDS; k++)
        while (bus->handlers[k] != NULL) {
            struct handler *h = bus->handlers[k];
            bus->handlers[k] = h->next;
            free(h);
        }
}

struct counter {
    int keys;
    int last;
};

struct once {
    struct bus *bus;
    int fired;
};

static void count_key(const struct event *e, void *context)
{
    struct counter *c = context;
    c->keys++;
    c->last = e->value;
}

static void fire_once(const struct event *e, void *context)
{
    struct once *o = context;
    o->fired++;
    bus_off(o->bus, e->kind, fire_once, o);
}

static void stop(const struct event *e, void *context)
{
    int *running = context;
    *running = 0;
    printf("quit: %d\n", e->value);
}

int main(void)
{
    struct bus bus;
    struct counter counter = { 0, 0 };
    struct once once = { &bus, 0 };
    int running = 1;

    memset(&bus, 0, sizeof bus);
    if (bus_on(&bus, KEY, count_key, &counter) || bus_on(&bus, KEY, fire_once, &once) ||
        bus_on(&bus, QUIT, stop, &running)) {
        bus_close(&bus);
        return EXIT_FAILURE;
    }
    for (int i = 0; running && i < 4; i++) {
        bus_emit(&bus, KEY, 'a' + i);
        if (i == 2)
            bus_emit(&bus, QUIT, i);
    }
    bus_emit(&bus, MOUSE, 0);
    printf("%d keys, last %d, once %d, all %d\n", counter.keys, counter.last, once.fired,
           bus.dispatched);
    bus_close(&bus);
    return 0;
}
