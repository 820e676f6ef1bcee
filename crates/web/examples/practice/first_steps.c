#include "list.h"

void first_steps(void) {
  struct node *x = alloc();
  struct node *y = x;
  x->on = 1;
  x->next = NULL;
  while (unknown()) {
    y->next = alloc();
    y = y->next;
    y->on = 1;
    y->next = NULL;
  }
  check_all_on(x);
}
