// A list sorted by merging, with a bug.
// expect: main violated leak

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { int v; struct n *next; };
static struct n *merge(struct n *a, struct n *b) {
  if (!a) return b;
  if (!b) return a;
  if (a->v <= b->v) {
    merge(a->next, b);
    return a;
  }
  b->next = merge(a, b->next);
  return b;
}
static struct n *sort(struct n *x) {
  if (!x || !x->next) return x;
  struct n *slow = x, *fast = x->next;
  while (fast && fast->next) {
    slow = slow->next;
    fast = fast->next->next;
  }
  struct n *half = slow->next;
  slow->next = NULL;
  x = sort(x);
  half = sort(half);
  return merge(x, half);
}
int main(void) {
  struct n *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct n *x = malloc(sizeof *x);
    x->v = __VERIFIER_nondet_int();
    x->next = list;
    list = x;
  }
  list = sort(list);
  while (list) {
    struct n *next = list->next;
    free(list);
    list = next;
  }
  return 0; // BUG
}
