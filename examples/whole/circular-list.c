// A circular list.
// expect[summaries]: main verified

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; };
int main(void) {
  struct n *h = malloc(sizeof *h); h->next = h;
  while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x); x->next = h->next; h->next = x; }
  struct n *p = h->next;
  while (p != h) { struct n *t = p->next; free(p); p = t; }
  free(h);
  return 0;
}
