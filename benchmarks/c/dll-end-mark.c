// A doubly linked list of readings that ends in a mark: the walk there looks at values alone, the walk
// back at the pointer.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

#define END 99

struct reading {
  int value;
  struct reading *next, *before;
};

int main(void) {
  struct reading *first = malloc(sizeof *first);
  struct reading *last = first;
  first->before = NULL;
  while (__VERIFIER_nondet_int()) {
    last->value = __VERIFIER_nondet_int() ? 1 : 2;
    last->next = malloc(sizeof *last);
    last->next->before = last;
    last = last->next;
  }
  last->value = END;
  last->next = NULL;

  struct reading *at = first;
  while (at->value != END)
    at = at->next;
  while (at) {
    struct reading *before = at->before;
    free(at);
    at = before;
  }
  return 0;
}
