// Half of a pointer is no pointer, and its bytes are no numbers: where they lie nobody knows.
// expect: main unsupported

int main(void) {
  int a = 1, b = 2;
  int *p = &a, *q = &b;
  ((char *)&p)[0] = ((char *)&q)[0];
  return p == q;
}
