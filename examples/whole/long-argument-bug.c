// An argument that fills a buffer to its last byte has no room for its end.
// test: --engine auto
// expect: main violated bounds

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char name[16];
  if (argc < 2 || strlen(argv[1]) > sizeof name)
    return 1;
  strcpy(name, argv[1]); // BUG
  puts(name);
  return 0;
}
