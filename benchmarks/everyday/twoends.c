#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct dnode { struct dnode *prev, *next; long val; };
struct deque { struct dnode *head, *tail; unsigned n; };

static struct dnode *mk(long v)
{
	struct dnode *d = calloc(1, sizeof(*d));
	if (!d)
		abort();
	d->val = v;
	return d;
}

static void push_front(struct deque *q, long v)
{
	struct dnode *d = mk(v);
	d->next = q->head;
	if (q->head)
		q->head->prev = d;
	else
		q->tail = d;
	q->head = d;
	q->n++;
}

static void push_back(struct deque *q, long v)
{
	struct dnode *d = mk(v);
	d->prev = q->tail;
	if (q->tail)
		q->tail->next = d;
	else
		q->head = d;
	q->tail = d;
	q->n++;
}

static long pop_front(struct deque *q)
{
	struct dnode *d = q->head;
	long v;
	assert(d != NULL);
	v = d->val;
	q->head = d->next;
	if (q->head)
		q->head->prev = NULL;
	else
		q->tail = NULL;
	q->n--;
	free(d);
	return v;
}

static long pop_back(struct deque *q)
{
	struct dnode *d = q->tail;
	long v;
	assert(d != NULL);
	v = d->val;
	q->tail = d->prev;
	if (q->tail)
		q->tail->next = NULL;
	else
		q->head = NULL;
	q->n--;
	free(d);
	return v;
}

int main(void)
{
	struct deque q = { 0 };
	char cmd;
	long v;

	while (scanf(" %c", &cmd) == 1) {
		switch (cmd) {
		case 'f':
			if (scanf("%ld", &v) == 1)
				push_front(&q, v);
			break;
		case 'b':
			if (scanf("%ld", &v) == 1)
				push_back(&q, v);
			break;
		case 'F':
			if (q.head)
				printf("%ld\n", pop_front(&q));
			break;
		case 'B':
			if (q.tail)
				printf("%ld\n", pop_back(&q));
			break;
		case 'q':
			goto done;
		default:
			fprintf(stderr, "unknown command '%c'\n", cmd);
		}
	}
done:
	while (q.head)
		printf("%ld ", pop_front(&q));
	putchar('\n');
	return 0;
}
