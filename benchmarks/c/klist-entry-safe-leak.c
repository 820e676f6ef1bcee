#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };

#define offset_of(type, member) __builtin_offsetof(type, member)
#define container_of(ptr, type, member) ({ \
	void *__mptr = (void *)(ptr); \
	((type *)(__mptr - offset_of(type, member))); })
#define list_first_entry(ptr, type, member) container_of((ptr)->next, type, member)
#define list_next_entry(pos, member) \
	container_of((pos)->member.next, typeof(*(pos)), member)
#define list_entry_is_head(pos, head, member) (&pos->member == (head))
#define list_for_each_entry(pos, head, member) \
	for (pos = list_first_entry(head, typeof(*pos), member); \
	     !list_entry_is_head(pos, head, member); \
	     pos = list_next_entry(pos, member))
#define list_for_each_entry_safe(pos, n, head, member) \
	for (pos = list_first_entry(head, typeof(*pos), member), \
		n = list_next_entry(pos, member); \
	     !list_entry_is_head(pos, head, member); \
	     pos = n, n = list_next_entry(n, member))

static void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static void list_add_tail(struct list_head *new, struct list_head *head)
{
	struct list_head *prev = head->prev;
	head->prev = new;
	new->next = head;
	new->prev = prev;
	prev->next = new;
}

static void list_del(struct list_head *e)
{
	e->next->prev = e->prev;
	e->prev->next = e->next;
	e->next = NULL;
	e->prev = NULL;
}

struct dev {
	struct list_head node;
	int up;
};

int main(void)
{
	struct list_head devs;
	struct dev *d, *tmp;

	INIT_LIST_HEAD(&devs);
	while (__VERIFIER_nondet_int()) {
		d = malloc(sizeof(*d));
		if (!d)
			abort();
		d->up = __VERIFIER_nondet_int() ? 1 : 0;
		list_add_tail(&d->node, &devs);
	}
	/* those that are down go */
	list_for_each_entry_safe(d, tmp, &devs, node) {
		if (!d->up)
			list_del(&d->node); // BUG
	}
	list_for_each_entry(d, &devs, node)
		assert(d->up == 1);
	list_for_each_entry_safe(d, tmp, &devs, node) {
		list_del(&d->node);
		free(d);
	}
	assert(devs.next == &devs && devs.prev == &devs);
	return 0; // BUG
}
