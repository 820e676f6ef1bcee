// An argument is copied into memory that is one character too short.
// expect: main violated bounds

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char *copy;
  if (argc < 2) return 1;
  copy = malloc(strlen(argv[1]));
  if (!copy) return 1;
  strcpy(copy, argv[1]); // BUG
  puts(copy);
  free(copy);
  return 0;
}
