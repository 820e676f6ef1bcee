// Unregisters a device from a bus, but not if it is the first one.

#include <stdlib.h>

struct device {
    struct device *sibling;
    int id;
};

struct bus {
    struct device *devices;
    int count;
};

struct machine {
    struct bus *bus;
};

/*@ requires m != NULL && m->bus != NULL && reach(sibling, m->bus->devices, NULL);
    assigns  m->bus->devices, m->bus->count, { d->sibling | struct device *d; reach(sibling, m->bus->devices, d) };
    ensures  reach(sibling, m->bus->devices, NULL);
    ensures  \forall struct device *d; d != NULL && reach(sibling, m->bus->devices, d) ==>
                 \old(reach(sibling, m->bus->devices, d)); */
void unregister(struct machine *m, int id)
{
    struct bus *bus = m->bus;
    struct device *d = bus->devices, *before = NULL;

    while (d != NULL && d->id != id) {
        before = d;
        d = d->sibling;
    }
    if (d == NULL)
        return;
    if (before == NULL)
        bus->count = 0;
    else
        before->sibling = d->sibling;
    bus->count = bus->count - 1;
    free(d);
} // BUG
