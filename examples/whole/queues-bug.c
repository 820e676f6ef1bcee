// A list of queues: the first element of one is lost, though its tail still leads to the last one.
// expect: main violated leak

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct item { struct item *next; };
struct queue { struct queue *next; struct item *head, *tail; };
struct queue *all;

static struct item *new_item(void) {
  struct item *x = malloc(sizeof *x);
  x->next = NULL;
  return x;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    struct queue *q = malloc(sizeof *q);
    q->head = q->tail = new_item();
    while (__VERIFIER_nondet_int()) {
      q->tail->next = new_item();
      q->tail = q->tail->next;
    }
    q->next = all;
    all = q;
  }
  if (all && all->head != all->tail)
    all->head = all->head->next;
  return 0; // BUG
}
