// A byte that is neither 0 nor 1 in a `_Bool` is undefined where it is read.
// expect: main unsupported

int main(void) {
  _Bool b;
  *(char *)&b = 2;
  return b ? 1 : 0;
}
