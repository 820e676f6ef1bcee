// Work items wait, run and are done: one link takes part in three lists, one after the other.
// expect: main safe

#include <assert.h>
#include <stdlib.h>

#include "list.h"

extern int __VERIFIER_nondet_int(void);

struct work {
	int cost;
	struct list_head entry;
};

static LIST_HEAD(pending);
static LIST_HEAD(done);

static void queue_work(int cost)
{
	struct work *work = malloc(sizeof(*work));

	if (!work)
		return;
	work->cost = cost;
	list_add_tail(&work->entry, &pending);
}

/* Whatever is pending is worked off; new work goes to the end of what was there. */
static void run_pending(void)
{
	LIST_HEAD(batch);
	struct work *work, *next;

	list_splice_tail_init(&pending, &batch);
	list_for_each_entry_safe(work, next, &batch, entry) {
		if (work->cost > 0)
			list_move_tail(&work->entry, &done);
		else {
			list_del(&work->entry);
			free(work);
		}
	}
	assert(list_empty(&batch));
}

static void free_done(void)
{
	struct work *work, *next;

	list_for_each_entry_safe(work, next, &done, entry) {
		assert(work->cost > 0);
		list_del(&work->entry);
		free(work);
	}
}

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		while (__VERIFIER_nondet_int())
			queue_work(__VERIFIER_nondet_int());
		run_pending();
	}
	free_done();
	assert(list_empty(&pending) && list_empty(&done));
	return 0;
}
