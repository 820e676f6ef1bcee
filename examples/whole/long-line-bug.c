// A word that is as long as its buffer: no short input shows it.
// test: --engine auto
// expect: main violated bounds

#include <stdio.h>

#define LONGEST 24

int main(void) {
  char word[LONGEST];
  size_t length = 0;
  word[0] = 0;
  int c;
  while ((c = getchar()) != EOF) {
    if (c == ' ' || c == '\n')
      length = 0;
    else if (length < LONGEST)
      word[length++] = (char)c;
    word[length] = '\0'; // BUG
  }
  puts(word);
  return 0;
}
