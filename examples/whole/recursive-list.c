// Lists that are built, copied, reversed and freed by recursion.
// expect[summaries]: main verified

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { int v; struct n *next; };
static struct n *build(void) {
  if (!__VERIFIER_nondet_int()) return NULL;
  struct n *x = malloc(sizeof *x);
  x->v = __VERIFIER_nondet_int();
  x->next = build();
  return x;
}
static struct n *copy(const struct n *x) {
  if (!x) return NULL;
  struct n *y = malloc(sizeof *y);
  y->v = x->v;
  y->next = copy(x->next);
  return y;
}
static struct n *reverse(struct n *x, struct n *done) {
  if (!x) return done;
  struct n *rest = x->next;
  x->next = done;
  return reverse(rest, x);
}
static void drop(struct n *x) {
  if (!x) return;
  drop(x->next);
  free(x);
}
int main(void) {
  struct n *a = build(), *b = copy(a);
  a = reverse(a, NULL);
  drop(a);
  drop(b);
  return 0;
}
