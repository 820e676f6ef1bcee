// Parameters that lead to objects of their own: a caller's list head, a caller's integer.
// test: --objects 3 --int-values 0,1
// expect: prepend safe
// expect: take safe
// expect: drop_all safe
// expect: swap safe
// expect: either safe
// expect: release safe
// expect: put_in safe
// expect[pdr-forall]: prepend verified
// expect[pdr-forall]: take verified
// expect[pdr-forall]: drop_all verified
// expect[pdr-forall]: swap verified
// expect[pdr-forall]: either unsupported
// expect[pdr-forall]: release unsupported
// expect[pdr-forall]: put_in unsupported

#include <stdlib.h>

struct item {
  struct item *next;
  int key;
};

struct box {
  struct item **at;
};

/*@ requires head != \null && reach(next, *head, \null);
    ensures reach(next, *head, \null) && (*head)->next == \old(*head); */
void prepend(struct item **head, int key) {
  struct item *n = malloc(sizeof *n);
  n->key = key;
  n->next = *head;
  *head = n;
}

/*@ requires \valid(head) && \valid(key) && reach(next, *head, \null);
    ensures \result != 0 <==> \old(*head) != \null;
    ensures \result != 0 ==> *key == \old((*head)->key) && *head == \old((*head)->next);
    ensures \result == 0 ==> *key == \old(*key); */
int take(struct item **head, int *key) {
  struct item *first = *head;
  if (!first)
    return 0;
  *key = first->key;
  *head = first->next;
  free(first);
  return 1;
}

/*@ requires \valid(head) && reach(next, *head, \null);
    ensures *head == \null;
    ensures \forall struct item *v; v != \null && \old(reach(next, *head, v)) ==> !alloc(v); */
void drop_all(struct item **head) {
  while (*head) {
    struct item *first = *head;
    *head = first->next;
    free(first);
  }
}

/*@ requires \valid(a) && \valid(b) && \separated(a, b);
    requires reach(next, *a, \null) && reach(next, *b, \null);
    ensures *a == \old(*b) && *b == \old(*a); */
void swap(struct item **a, struct item **b) {
  struct item *t = *a;
  *a = *b;
  *b = t;
}

// Both may be one.
/*@ requires \valid(a) && \valid(b);
    ensures *b == \old(*a) && *a == \old(*a); */
void either(int *a, int *b) {
  *b = *a;
}

// It is given back.
/*@ requires \valid(count) && *count == 1;
    ensures !alloc(\old(count)); */
void release(int *count) {
  free(count);
}

// The box may lead there, too.
/*@ requires \valid(head) && b != \null && b->at != \null && *b->at == \null;
    ensures *b->at == \old(*head); */
void put_in(struct item **head, struct box *b) {
  *b->at = *head;
}
