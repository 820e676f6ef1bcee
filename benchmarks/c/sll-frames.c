// A stream of frames: every header frame is followed by its body, and the list ends in a body. Reading
// goes from a header to its body without asking whether there is one.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

enum kind { HEADER, BODY };

struct frame {
  enum kind kind;
  struct frame *next;
};

static struct frame *append(struct frame *last, enum kind kind) {
  struct frame *new = malloc(sizeof *new);
  new->kind = kind;
  new->next = NULL;
  if (last)
    last->next = new;
  return new;
}

int main(void) {
  struct frame *first = append(NULL, BODY);
  struct frame *last = first;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      last = append(last, HEADER);
    last = append(last, BODY);
  }
  struct frame *at = first;
  while (at) {
    if (at->kind == HEADER)
      at = at->next->next;
    else
      at = at->next;
  }
  while (first) {
    struct frame *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}
