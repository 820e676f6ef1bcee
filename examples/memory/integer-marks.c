// Integers as pointers: marks that lead nowhere are copied and compared; an access through one fails.
// expect: main safe
// expect: tombstones safe
// expect: poisoned violated bounds
// expect: freed violated invalid-free
// expect: where unsupported
// expect[pdr-forall]: tombstones unsupported
// expect[sll]: tombstones unsupported
// expect[canonical]: tombstones unsupported
// expect[proveit]: tombstones unsupported
// expect[bohne]: tombstones unsupported

#include <assert.h>
#include <stdlib.h>

struct node {
  struct node *next, *prev;
};

#define POISON ((struct node *)0x00100100)
#define DELETED ((struct node *)-1)

int main(void) {
  struct node *n = malloc(sizeof *n);
  n->next = DELETED;
  n->prev = (struct node *)1;
  assert(n->next != n && n->next != NULL && n->next == DELETED && n->prev != n->next);
  assert((char *)n->prev - 1 == NULL || n->next != n->prev);
  free(n);
  return 0;
}

//@ ensures \result == 1;
int tombstones(void) {
  struct node *slots[2] = {DELETED, 0};
  struct node *p = slots[0];
  return p == DELETED && slots[1] == NULL;
}

//@ requires n != \null;
void poisoned(struct node *n) {
  n->next = POISON;
  n->next->prev = n; // BUG poisoned
}

//@ requires n == \null;
void freed(struct node *n) {
  n = DELETED;
  free(n); // BUG freed
}

//@ requires n != \null;
int where(struct node *n) {
  return n == POISON;
}
