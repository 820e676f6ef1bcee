// Mistakes behind parameters that lead to objects of their own.
// test: --objects 3 --int-values 0,1
// expect: take violated null-deref
// expect: drop_all violated use-after-free
// expect: prepend violated postcondition
// expect: count violated postcondition
// expect[pdr-forall]: take violated null-deref
// expect[pdr-forall]: drop_all violated use-after-free
// expect[pdr-forall]: prepend violated postcondition
// expect[pdr-forall]: count violated postcondition

#include <stdlib.h>

struct item {
  struct item *next;
  int key;
};

/*@ requires \valid(head) && \valid(key) && reach(next, *head, \null); */
void take(struct item **head, int *key) {
  struct item *first = *head;
  *key = first->key; // BUG
  *head = first->next;
  free(first);
}

/*@ requires \valid(head) && reach(next, *head, \null); */
void drop_all(struct item **head) {
  while (*head) {
    struct item *first = *head;
    free(first);
    *head = first->next; // BUG
  }
}

/*@ requires head != \null && reach(next, *head, \null);
    ensures (*head)->next == *head; */ // BUG
void prepend(struct item **head, int key) {
  struct item *n = malloc(sizeof *n);
  n->key = key;
  n->next = *head;
  *head = n;
}

/*@ requires \valid(empty) && reach(next, x, \null);
    ensures *empty != 0 <==> x == \null; */ // BUG
void count(struct item *x, int *empty) {
  for (; x; x = x->next)
    *empty = 0;
}
