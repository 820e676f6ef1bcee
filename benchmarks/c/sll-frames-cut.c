// As sll-frames, but a header may be the last frame.
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
    if (__VERIFIER_nondet_int())
      last = append(last, BODY);
  }
  struct frame *at = first;
  while (at) {
    if (at->kind == HEADER)
      at = at->next->next; // BUG
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
