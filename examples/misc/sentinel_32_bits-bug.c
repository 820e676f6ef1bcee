// The same with a bug: the list ends in null instead of the sentinel, so the walk leaves it.
// expect: main violated null-deref

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
    last->next = NULL;
    last->mark = 1;
  }
  if (last == stop) stop->next->mark = 2;
  while (first != stop) {
    last = first->next; // BUG
    free(first);
    first = last;
  }
  free(stop);
  return 0;
}
