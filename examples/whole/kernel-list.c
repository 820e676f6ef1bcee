// A kernel list: links inside of items, a head on the stack.
// expect[summaries]: main verified

#include <stdlib.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
struct list_head { struct list_head *next, *prev; };
struct item { int v; struct list_head l; };
static void INIT(struct list_head *h){ h->next = h; h->prev = h; }
static void add(struct list_head *n, struct list_head *h){ struct list_head *nx = h->next; nx->prev = n; n->next = nx; n->prev = h; h->next = n; }
static void del(struct list_head *e){ e->next->prev = e->prev; e->prev->next = e->next; }
#define entry(p) ((struct item *)((char *)(p) - offsetof(struct item, l)))
int main(void) {
  struct list_head head; INIT(&head);
  while (__VERIFIER_nondet_int()) { struct item *i = malloc(sizeof *i); i->v = 3; add(&i->l, &head); }
  struct list_head *p;
  int s = 0;
  for (p = head.next; p != &head; p = p->next) { if (entry(p)->v != 3) s = 1; }
  while (head.next != &head) { struct item *i = entry(head.next); del(&i->l); free(i); }
  return s;
}
