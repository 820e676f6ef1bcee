// A queue with head and tail pointers.
// test: --int-values 0,1
// expect: enqueue safe
// expect: dequeue safe
// expect[pdr-forall]: dequeue verified

#include <stdlib.h>

struct job { struct job *next; int id; };
struct queue { struct job *head, *tail; };

/*@ predicate queue(struct queue *q) = q != NULL && ls(next, q->head, NULL) &&
      (q->head == NULL <==> q->tail == NULL) &&
      (q->tail != NULL ==> q->tail->next == NULL && reach(next, q->head, q->tail)); */

/*@ requires queue(q);
    ensures  queue(q) && q->tail->id == id;
    ensures  \old(q->head) != NULL ==> q->head == \old(q->head);
    ensures  \forall struct job *v; v != NULL && \old(reach(next, q->head, v)) ==> reach(next, q->head, v); */
void enqueue(struct queue *q, int id)
{
    struct job *j = malloc(sizeof *j);
    j->id = id;
    j->next = NULL;
    if (q->tail == NULL)
        q->head = j;
    else
        q->tail->next = j;
    q->tail = j;
}

/*@ requires queue(q) && \valid(id);
    requires \separated(id, q) && \forall struct job *v; v != NULL && reach(next, q->head, v) ==> \separated(id, v);
    ensures  queue(q);
    ensures  \result != 0 <==> \old(q->head) != NULL;
    ensures  \result != 0 ==> *id == \old(q->head->id) && q->head == \old(q->head->next); */
int dequeue(struct queue *q, int *id)
{
    struct job *j = q->head;
    if (j == NULL)
        return 0;
    *id = j->id;
    q->head = j->next;
    if (q->head == NULL)
        q->tail = NULL;
    free(j);
    return 1;
}
