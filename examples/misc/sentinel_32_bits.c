// Pointers of four bytes are found on the machine: the proof over clauses holds there, too.
// test: --engine pdr-forall --data-model ilp32
// expect: main verified

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; int mark; };

int main(void) {
  struct item *stop = malloc(sizeof *stop);
  stop->mark = 1;
  stop->next = NULL;
  struct item *first = malloc(sizeof *first);
  first->mark = 1;
  first->next = stop;
  struct item *last = first;
  while (__VERIFIER_nondet_int()) {
    last->next = malloc(sizeof *last);
    last = last->next;
    last->next = stop;
    last->mark = 1;
  }
  if (last->next != stop) stop->next->mark = 2;
  while (first != stop) {
    last = first->next;
    free(first);
    first = last;
  }
  free(stop);
  return 0;
}
