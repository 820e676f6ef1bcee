// What is written as one member of a union is read as another one.
// test: --engine explore
// expect: main verified
// expect: argument safe

#include <assert.h>

union word {
  unsigned i;
  unsigned char c[4];
  struct {
    unsigned low : 4, high : 28;
  } b;
};

int argument(union word *w) {
  if (w && w->i == 1) assert(w->c[0] == 1);
  return 0;
}

int main(void) {
  union word w;
  w.i = 0x01020335;
  assert(w.c[0] == 0x35 && w.c[3] == 1 && w.b.low == 5);
  w.b.high = 0;
  assert(w.i == 5);
  return 0;
}
