// Arrays of variable length: their size, their end, and lengths that are not allowed.
// test: --engine explore
// expect: sum safe
// expect: behind violated bounds
// expect: nothing violated negative-size

#include <assert.h>

int sum(void) {
  int all = 0;
  for (int n = 1; n < 4; n++) {
    int a[n];
    assert(sizeof a == n * sizeof(int));
    for (int i = 0; i < n; i++) a[i] = n;
    for (int i = 0; i < n; i++) all += a[i];
  }
  assert(all == 14);
  return all;
}

int behind(void) {
  int n = 3, a[n];
  a[n] = 1; // BUG
  return 0;
}

int nothing(void) {
  int n = 0;
  char a[n]; // BUG
  return sizeof a;
}
