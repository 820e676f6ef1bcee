#include <stddef.h>
#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };

#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }
#define list_entry(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

static inline void __list_add(struct list_head *n, struct list_head *prev,
			      struct list_head *next)
{
	next->prev = n;
	n->next = next;
	n->prev = prev;
	prev->next = n;
}

static inline void __list_del(struct list_head *prev, struct list_head *next)
{
	next->prev = prev;
	prev->next = next;
}

static inline int list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline void list_move_tail(struct list_head *list, struct list_head *head)
{
	__list_del(list->prev, list->next);
	__list_add(list, head->prev, head);
}

static inline void list_splice_init(struct list_head *list, struct list_head *head)
{
	if (!list_empty(list)) {
		struct list_head *first = list->next, *last = list->prev;
		first->prev = head;
		head->next = first;
		last->next = head;
		head->prev = last;
		list->next = list->prev = list;
	}
}

struct page { unsigned long flags; struct list_head lru; };

int main(void)
{
	LIST_HEAD(active);
	LIST_HEAD(inactive);

	while (__VERIFIER_nondet_int()) {
		struct page *p = malloc(sizeof(*p));
		if (!p)
			abort();
		p->flags = 0;
		__list_add(&p->lru, &active, active.next);
	}
	while (!list_empty(&active) && __VERIFIER_nondet_int())
		list_move_tail(active.next, &inactive);
	list_splice_init(&active, &inactive); // BUG
	assert(list_empty(&active));
	while (!list_empty(&inactive)) {
		struct page *p = list_entry(inactive.next, struct page, lru);
		__list_del(p->lru.prev, p->lru.next);
		free(p);
	}
	return 0; // BUG
	}
