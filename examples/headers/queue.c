// A queue with both ends in a header.
// test: --engine pdr-forall
// expect: put verified
// expect: take verified
// expect: clear verified
// expect: clear_all_but_one violated leak

#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

struct queue {
    struct item *head, *tail;
};

/*@ predicate queue(struct queue *q) =
      reach(next, q->head, NULL) && (q->head == NULL ==> q->tail == NULL) &&
      (q->head != NULL ==> q->tail != NULL && reach(next, q->head, q->tail) && q->tail->next == NULL); */

/*@ requires q != NULL && queue(q);
    assigns  q->head, q->tail, q->tail->next;
    ensures  queue(q) && q->tail != NULL;
    ensures  \forall struct item *v; \old(reach(next, q->head, v)) ==> reach(next, q->head, v); */
void put(struct queue *q, int value)
{
    struct item *i = malloc(sizeof *i);
    i->next = NULL;
    i->value = value;
    if (q->tail == NULL)
        q->head = i;
    else
        q->tail->next = i;
    q->tail = i;
}

/*@ requires q != NULL && queue(q);
    assigns  q->head, q->tail;
    ensures  queue(q);
    ensures  \result == NULL <==> \old(q->head) == NULL;
    ensures  \result != NULL ==> \result == \old(q->head) && q->head == \old(q->head->next); */
struct item *take(struct queue *q)
{
    struct item *i = q->head;
    if (i != NULL) {
        q->head = i->next;
        if (q->head == NULL)
            q->tail = NULL;
    }
    return i;
}

/*@ requires q != NULL && queue(q);
    assigns  q->head, q->tail;
    ensures  q->head == NULL && q->tail == NULL; */
void clear(struct queue *q)
{
    while (q->head) {
        struct item *dead = q->head;
        q->head = dead->next;
        free(dead);
    }
    q->tail = NULL;
}

/*@ requires q != NULL && queue(q);
    ensures  q->head == NULL && q->tail == NULL; */
void clear_all_but_one(struct queue *q)
{
    struct item *p = q->head;
    while (p) {
        struct item *next = p->next;
        if (next)
            free(p);
        p = next;
    }
    q->head = NULL;
    q->tail = NULL;
} // BUG
