// Bytes of bit-fields copied to others, of another width: what is read there are the bits.
// test: --engine explore
// expect: main violated assertion
// expect[summaries]: main unknown unsupported

#include <assert.h>
#include <string.h>

struct narrow { unsigned low : 3, high : 13; };
struct wide { unsigned low : 5, high : 11; };

int main(void) {
  struct wide from = {.low = 31, .high = 2};
  struct narrow to;
  memcpy(&to, &from, sizeof to);
  assert(to.low == 7 && to.high == 11);
  assert(to.low == from.low); // BUG
  return 0;
}
