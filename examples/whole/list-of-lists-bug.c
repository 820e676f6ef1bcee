// A list of lists, with a bug.
// expect: main violated leak

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct in { struct in *next; };
struct out { struct out *next; struct in *sub; };
int main(void) {
  struct out *l = NULL;
  while (__VERIFIER_nondet_int()) {
    struct out *o = malloc(sizeof *o);
    o->sub = NULL; o->next = l; l = o;
    while (__VERIFIER_nondet_int()) {
      struct in *i = malloc(sizeof *i);
      i->next = o->sub; o->sub = i;
    }
  }
  while (l) {
    while (l->sub) { struct in *i = l->sub; l->sub = i->next; free(i); }
    struct out *n = l->next; l = n;
  }
  return 0; // BUG
}
