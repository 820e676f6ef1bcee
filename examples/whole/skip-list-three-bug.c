// The same with a bug: a node of the upper level is left out of the middle one, where walks run past it.
// expect: main violated null-deref

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tower { struct tower *up[3]; };
struct index { struct tower *low, *high; };

static struct tower *raise(void) {
  struct tower *t = malloc(sizeof *t);
  t->up[0] = t->up[1] = t->up[2] = NULL;
  return t;
}

static void put(struct index *index) {
  struct tower *top = index->low, *mid, *base, *t;
  while (top->up[2] != index->high && __VERIFIER_nondet_int()) top = top->up[2];
  mid = top;
  while (mid->up[1] != top->up[2] && __VERIFIER_nondet_int()) mid = mid->up[1]; // BUG
  base = mid;
  while (base->up[0] != mid->up[1] && __VERIFIER_nondet_int()) base = base->up[0];
  t = raise();
  t->up[0] = base->up[0];
  base->up[0] = t;
  if (!__VERIFIER_nondet_int()) return;
  t->up[1] = mid->up[1];
  if (!__VERIFIER_nondet_int()) {
    mid->up[1] = t;
    return;
  }
  t->up[2] = top->up[2];
  top->up[2] = t;
}

int main(void) {
  struct index index;
  struct tower *t;
  index.low = raise();
  index.high = raise();
  index.low->up[0] = index.low->up[1] = index.low->up[2] = index.high;
  while (__VERIFIER_nondet_int()) put(&index);
  while ((t = index.low) != NULL) {
    index.low = t->up[0];
    free(t);
  }
  return 0;
}
