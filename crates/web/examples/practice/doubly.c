#include "list.h"

void doubly(void) {
  struct node *x = alloc();
  struct node *y = x;
  x->on = 1;
  x->next = x->prev = NULL;
  while (unknown()) {
    struct node *z = alloc();
    z->on = 1;
    z->next = NULL;
    z->prev = y;
    y->next = z;
    y = z;
  }
  check_back(x);
}

static int helper_0(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 0;
}

static int helper_1(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 1;
}

static int helper_2(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 2;
}

static int helper_3(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 3;
}

static int helper_4(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 4;
}

static int helper_5(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 5;
}

static int helper_6(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 6;
}

static int helper_7(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 7;
}

static int helper_8(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 8;
}

static int helper_9(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 9;
}

static int helper_10(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 10;
}

static int helper_11(struct node *p) {
  int n = 0;
  while (p) {
    n += p->on;
    p = p->next;
  }
  return n + 11;
}
