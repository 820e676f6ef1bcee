// Tagged messages: the tag says which payload a message has, and the list ends in a stop message.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

enum tag { SHORT, LONG, STOP };

struct message {
  enum tag tag;
  int size;
  struct message *next;
};

int main(void) {
  struct message *first = malloc(sizeof *first);
  struct message *last = first;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      last->tag = SHORT;
      last->size = 8;
    } else {
      last->tag = LONG;
      last->size = 64;
    }
    last->next = malloc(sizeof *last);
    last = last->next;
  }
  last->tag = STOP;
  last->size = 0;
  last->next = NULL;

  for (struct message *m = first; m->tag != STOP; m = m->next) {
    if (m->tag == SHORT)
      assert(m->size == 8);
    else
      assert(m->size == 64);
  }
  for (;;) {
    struct message *next = first->next;
    int is_stop = first->tag == STOP;
    free(first);
    if (is_stop)
      break;
    first = next;
  }
  return 0;
}
