// A circular list, with a bug.
// expect: main violated use-after-free

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; };
int main(void) {
  struct n *h = malloc(sizeof *h); h->next = h;
  while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x); x->next = h->next; h->next = x; }
  struct n *p = h->next;
  while (p != NULL) { struct n *t = p->next; free(p); p = t; } // BUG
  free(h);
  return 0;
}
