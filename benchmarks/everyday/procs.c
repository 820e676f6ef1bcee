#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct list_head { struct list_head *next, *prev; };
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
#define list_for_each_entry_safe(pos, n, head, type, member)              \
	for (pos = container_of((head)->next, type, member),              \
	     n = container_of(pos->member.next, type, member);            \
	     &pos->member != (head);                                      \
	     pos = n, n = container_of(n->member.next, type, member))

static inline void list_init(struct list_head *h) { h->next = h->prev = h; }
static inline int list_empty(const struct list_head *h) { return h->next == h; }
static inline void list_add_tail(struct list_head *n, struct list_head *h)
{
	n->prev = h->prev;
	n->next = h;
	h->prev->next = n;
	h->prev = n;
}
static inline void list_del(struct list_head *n)
{
	n->prev->next = n->next;
	n->next->prev = n->prev;
	n->next = n->prev = NULL;
}

enum state { READY, BLOCKED, DONE };
struct proc {
	int pid;
	int ticks;
	enum state state;
	struct list_head link;
};

static int spawn(struct list_head *q, int pid, int ticks)
{
	struct proc *p = malloc(sizeof(*p));
	if (!p)
		return -1;
	p->pid = pid;
	p->ticks = ticks;
	p->state = READY;
	list_add_tail(&p->link, q);
	return 0;
}

static int run_one(struct list_head *ready, struct list_head *blocked)
{
	struct proc *p;
	if (list_empty(ready))
		return 0;
	p = container_of(ready->next, struct proc, link);
	list_del(&p->link);
	if (--p->ticks <= 0) {
		p->state = DONE;
		printf("pid %d done\n", p->pid);
		free(p);
	} else if (rand() % 3 == 0) {
		p->state = BLOCKED;
		list_add_tail(&p->link, blocked);
	} else {
		list_add_tail(&p->link, ready);
	}
	return 1;
}

static void wake_all(struct list_head *ready, struct list_head *blocked)
{
	struct proc *p, *n;
	list_for_each_entry_safe(p, n, blocked, struct proc, link) {
		list_del(&p->link);
		p->state = READY;
		list_add_tail(&p->link, ready);
	}
}

int main(void)
{
	struct list_head ready, blocked;
	int i;

	list_init(&ready);
	list_init(&blocked);
	for (i = 1; i <= 5; i++)
		if (spawn(&ready, i, 1 + rand() % 9) < 0)
			fprintf(stderr, "cannot spawn %d\n", i);
	while (!list_empty(&ready) || !list_empty(&blocked)) {
		if (!run_one(&ready, &blocked))
			wake_all(&ready, &blocked);
	}
	return 0;
}
