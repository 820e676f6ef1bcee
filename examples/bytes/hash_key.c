// A hash function reads its key as bytes: of integers, of structs, of arrays. The machine follows it.
// test: --engine explore
// expect: main verified

#include <assert.h>
#include <string.h>

struct key {
  int id;
  short kind;
  char tag[2];
};

static unsigned hash(const void *key, size_t n) {
  const unsigned char *p = key;
  unsigned h = 5381;
  for (size_t i = 0; i < n; i++) h = h * 31 + p[i];
  return h;
}

int main(void) {
  struct key a = {258, 3, {'x', 'y'}}, b;
  memcpy(&b, &a, sizeof a);
  assert(hash(&a, sizeof a) == hash(&b, sizeof b) && memcmp(&a, &b, sizeof a) == 0);
  int n = -2;
  unsigned char *byte = (unsigned char *)&n;
  assert(byte[0] == 254 && byte[3] == 255);
  byte[3] = 0;
  assert(n == 0xfffffe);
  return 0;
}
