// A queue that keeps the address of its last link in the heap: no place that is known.
// test: --engine pdr-forall
// expect: enqueue unknown unsupported

#include <stddef.h>

struct node { struct node *next; };
struct queue { struct node *head; struct node **tail; };

/*@ requires q != NULL && n != NULL && q->tail == &q->head && q->head == NULL;
    requires \forall struct node *v; reach(next, v, NULL); */
void enqueue(struct queue *q, struct node *n)
{
    n->next = NULL;
    *q->tail = n;
    q->tail = &n->next;
}
