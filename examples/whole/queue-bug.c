// A queue with head, tail and length, with a bug.
// expect: main violated use-after-free

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; int d; };
struct q { struct n *head, *tail; int len; };
int main(void) {
  struct q *q = malloc(sizeof *q); q->head = q->tail = NULL; q->len = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct n *x = malloc(sizeof *x); x->next = NULL; x->d = 5;
      if (q->tail) q->tail->next = x; else q->head = x; // BUG
      q->tail = x; q->len++;
    } else if (q->head) {
      struct n *x = q->head; q->head = x->next; free(x); q->len--;
    }
  }
  while (q->head) { struct n *x = q->head; q->head = x->next; free(x); }
  free(q);
  return 0;
}
