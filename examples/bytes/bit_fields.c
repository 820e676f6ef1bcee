// Bit-fields: their signs, what is left of large values, and their neighbours.
// test: --engine explore
// expect: main violated assertion

#include <assert.h>

struct flags {
  unsigned low : 3;
  int level : 5;
  unsigned : 0;
  _Bool on : 1;
};

int main(void) {
  struct flags f = {.low = 7};
  f.low += 2;
  assert(f.low == 1 && f.level == 0);
  assert((f.level = 31) == -1 && f.low == 1);
  f.on = 2;
  assert(f.on == 1 && f.low - 2 < 0);
  f.level = 16;
  assert(f.level == 16); // BUG
  return 0;
}
