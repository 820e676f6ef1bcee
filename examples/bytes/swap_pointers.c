// Whole pointers are copied byte by byte, as generic containers do.
// test: --engine explore
// expect: main verified

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  int v;
};

static void swap(void *a, void *b, size_t n) {
  char *p = a, *q = b;
  while (n--) {
    char t = *p;
    *p++ = *q;
    *q++ = t;
  }
}

int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b) return 1;
  a->next = b;
  a->v = 1;
  b->next = NULL;
  b->v = 2;
  swap(a, b, sizeof *a);
  assert(a->v == 2 && a->next == NULL && b->v == 1 && b->next == b);
  char kept[sizeof a];
  memcpy(kept, &a, sizeof a);
  struct node *c;
  memcpy(&c, kept, sizeof c);
  assert(c == a);
  free(c);
  free(b);
  return 0;
}
