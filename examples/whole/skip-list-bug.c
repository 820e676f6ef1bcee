// A skip list of two levels, with a bug.
// expect: main violated leak

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct sn { struct sn *n1, *n2; };
int main(void) {
  struct sn *tail = malloc(sizeof *tail); tail->n1 = tail->n2 = NULL;
  struct sn *head = malloc(sizeof *head); head->n1 = head->n2 = tail;
  while (__VERIFIER_nondet_int()) {
    struct sn *a1, *a2;
    a2 = head;
    while (a2->n2 != tail && __VERIFIER_nondet_int()) a2 = a2->n2;
    a1 = a2;
    while (a1->n1 != a2->n2 && __VERIFIER_nondet_int()) a1 = a1->n1;
    struct sn *x = malloc(sizeof *x);
    x->n1 = a2->n2; a1->n1 = x; x->n2 = NULL;
    if (__VERIFIER_nondet_int()) { x->n2 = a2->n2; a2->n2 = x; }
  }
  while (head) { struct sn *t = head->n1; free(head); head = t; }
  return 0; // BUG
}
