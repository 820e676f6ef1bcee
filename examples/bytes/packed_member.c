// Members of packed structs are accessed where they lie; through a pointer, that is not aligned.
// test: --engine explore
// expect: direct safe
// expect: through_a_pointer unsupported

#include <assert.h>

struct __attribute__((packed)) record {
  char tag;
  int n;
  short s;
};

int direct(void) {
  struct record r = {1, 2, 3};
  r.n += 70000;
  assert(sizeof r == 7 && r.n == 70002 && ((unsigned char *)&r)[1] == 0x72);
  return r.s;
}

int through_a_pointer(void) {
  struct record r = {1, 2, 3};
  int *p = &r.n;
  *p = 5;
  return r.n;
}
