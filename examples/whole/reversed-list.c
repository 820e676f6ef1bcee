// A list is built, reversed and freed.
// expect[summaries]: main verified

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
  while (r) { struct node *t = r->next; free(r); r = t; }
  return 0;
}
