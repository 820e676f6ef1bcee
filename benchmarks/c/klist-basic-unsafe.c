#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_for_each_safe(pos, n, head) \
	for (pos = (head)->next, n = pos; pos != (head); \
	     pos = pos->next, n = pos)

static inline void __list_add(struct list_head *new,
			      struct list_head *prev,
			      struct list_head *next)
{
	next->prev = new;
	new->next = next;
	new->prev = prev;
	prev->next = new;
}

static inline void list_add(struct list_head *new, struct list_head *head)
{
	__list_add(new, head, head->next);
}

static inline void list_add_tail(struct list_head *new, struct list_head *head)
{
	__list_add(new, head->prev, head);
}

static inline void list_del(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
}

struct request {
	int sector;
	struct list_head queue;
};

static LIST_HEAD(pending);

int main(void)
{
	struct list_head *pos, *n;

	while (__VERIFIER_nondet_int()) {
		struct request *rq = malloc(sizeof(*rq));
		if (!rq)
			abort();
		rq->sector = __VERIFIER_nondet_int();
		if (rq->sector > 0)
			list_add_tail(&rq->queue, &pending);
		else
			list_add(&rq->queue, &pending);
	}
	list_for_each_safe(pos, n, &pending) { // BUG
		struct request *rq = list_entry(pos, struct request, queue);
		list_del(&rq->queue);
		free(rq);
	}
	return pending.next != &pending;
}
