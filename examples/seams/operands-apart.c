// Two sides of an assignment, one of which writes a pointer that the other one might read. They are
// apart here, so their order does not matter.
// expect[summaries]: main verified

#include <stdlib.h>

struct t { struct t *l, *r; };

int main(void) {
  struct t *a = malloc(sizeof *a);
  struct t **p = &a;
  (*p)->r = (*p)->l = NULL;
  free(a);
  return 0;
}
