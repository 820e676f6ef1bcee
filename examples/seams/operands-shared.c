// Two sides of an assignment, one of which writes a pointer that the other one reads: C does not say
// which pointer that is.
// expect[summaries]: main unknown unsupported

#include <stdlib.h>

struct t { struct t *l, *r; };

int main(void) {
  struct t *a = malloc(sizeof *a);
  a->l = a;
  struct t **p = &a->l;
  (*p)->r = (*p)->l = NULL;
  free(a);
  return 0;
}
