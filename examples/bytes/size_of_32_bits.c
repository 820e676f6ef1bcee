// With 32 bits, the size of an array wraps and memory is too small.
// test: --engine explore --data-model ilp32
// expect: main violated bounds

#include <stdlib.h>

int main(void) {
  size_t n = 0x40000001u;
  int *p = malloc(n * sizeof(int));
  if (!p) return 0;
  p[0] = 1;
  p[1] = 2; // BUG
  free(p);
  return 0;
}
