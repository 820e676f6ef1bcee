// A list is built, reversed and freed, with a bug.
// expect: main violated use-after-free

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->data = __VERIFIER_nondet_int();
    n->next = head; head = n;
  }
  struct node *r = NULL;
  while (head) { struct node *t = head->next; head->next = r; r = head; head = t; }
  while (r) { free(r); r = r->next; } // BUG
  return 0;
}
