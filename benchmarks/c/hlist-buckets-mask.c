#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))

static inline void hlist_add_head(struct hlist_node *n, struct hlist_head *h)
{
	struct hlist_node *first = h->first;
	n->next = first;
	if (first)
		first->pprev = &n->next;
	h->first = n;
	n->pprev = &h->first;
}

static inline void __hlist_del(struct hlist_node *n)
{
	struct hlist_node *next = n->next;
	struct hlist_node **pprev = n->pprev;
	*pprev = next;
	if (next)
		next->pprev = pprev;
}

struct object {
	unsigned key;
	struct hlist_node hash;
};

#define BITS 2
static struct hlist_head table[1 << BITS];

int main(void)
{
	struct hlist_node *pos;
	unsigned i;

	while (__VERIFIER_nondet_int()) {
		struct object *o = malloc(sizeof(*o));
		if (!o)
			abort();
		o->key = (unsigned)__VERIFIER_nondet_int();
		hlist_add_head(&o->hash, &table[o->key & 3]);
	}
	for (i = 0; i < (1 << BITS) - 1; i++) {
		while ((pos = table[i].first) != NULL) {
			__hlist_del(pos);
			free(container_of(pos, struct object, hash));
		}
	}
	table[3].first = NULL; // BUG
	return 0; // BUG
}
