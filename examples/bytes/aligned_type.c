// An alignment of one's own moves members; it is not followed, and said so.
// expect: main unsupported

#include <assert.h>

typedef int wide __attribute__((aligned(16)));
struct pair {
  char c;
  wide w;
};

int main(void) {
  struct pair p;
  p.c = 1;
  assert(sizeof p == 32);
  return 0;
}
