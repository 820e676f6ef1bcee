// A string that is longer than its array is outside of it, be there other members behind it.
// test: --engine explore
// expect: add violated bounds

#include <string.h>

struct entry {
  char name[4];
  int count;
};

int add(void) {
  struct entry e;
  e.count = 0;
  strcpy(e.name, "abc");
  strcat(e.name, "d"); // BUG
  return e.count;
}
