// Bit-fields of a union that share their bits: one has a sign, the other has none.
// test: --engine explore
// expect: main violated assertion
// expect[summaries]: main unknown abstraction

#include <assert.h>

union both {
  struct { unsigned n : 4; } without;
  struct { int n : 4; } with;
};

int main(void) {
  union both v;
  v.without.n = 15;
  assert(v.with.n == -1 && v.without.n == 15);
  v.with.n = -2;
  assert(v.without.n == 14 && v.with.n < 0);
  v.without.n = 9;
  assert(v.with.n == 9); // BUG
  return 0;
}
