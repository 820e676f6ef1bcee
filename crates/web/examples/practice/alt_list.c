#include "list.h"

void alt_list(void) {
  struct node *x = alloc();
  struct node *y = x;
  x->on = 1;
  x->next = NULL;
  while (unknown()) {
    struct node *z = alloc();
    z->on = !y->on;
    z->next = NULL;
    y->next = z;
    y = z;
  }
  check_alternating(x);
}
