#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };

#define list_entry(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))

static void list_init(struct list_head *h) { h->next = h->prev = h; }

static void list_add(struct list_head *n, struct list_head *h)
{
	n->next = h->next;
	n->prev = h;
	h->next->prev = n;
	h->next = n;
}

static struct list_head *list_pop(struct list_head *h)
{
	struct list_head *e = h->next;
	if (e == h)
		return NULL;
	h->next = e->next;
	e->next->prev = h;
	return e;
}

struct bus { int nr; struct list_head buses; struct list_head devices; };
struct device { struct list_head on_bus; };

int main(void)
{
	struct list_head buses, *b, *d;

	list_init(&buses);
	while (__VERIFIER_nondet_int()) {
		struct bus *bus = malloc(sizeof(*bus));
		if (!bus)
			abort();
		bus->nr = __VERIFIER_nondet_int();
		list_init(&bus->devices);
		list_add(&bus->buses, &buses);
		while (__VERIFIER_nondet_int()) {
			struct device *dev = malloc(sizeof(*dev));
			if (!dev)
				abort();
			list_add(&dev->on_bus, &bus->devices);
		}
	}
	while ((b = list_pop(&buses))) {
		struct bus *bus = list_entry(b, struct bus, buses);
		if ((d = list_pop(&bus->devices)))
			free(list_entry(d, struct device, on_bus));
		free(bus); // BUG
	}
	return 0; // BUG
}
