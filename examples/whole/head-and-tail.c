// A doubly linked list with head and tail, walked forwards and freed backwards.
// expect[summaries]: main verified

#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; int v; };
int main(void) {
  struct node *head = NULL, *tail = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = NULL; n->prev = tail; n->v = 1;
    if (tail) tail->next = n; else head = n;
    tail = n;
  }
  struct node *p = head;
  while (p) { if (p->next) assert(p->next->prev == p); p = p->next; }
  p = tail;
  while (p) { struct node *q = p->prev; free(p); p = q; }
  return 0;
}
