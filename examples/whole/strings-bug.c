// Lines of any length up to a bound, kept in a list as copies one character too short.
// expect: main violated bounds

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct line { char *text; struct line *next; };
int main(void) {
  char buffer[64];
  struct line *all = NULL;
  while (fgets(buffer, sizeof buffer, stdin)) {
    size_t n = strlen(buffer);
    if (n > 0 && buffer[n - 1] == '\n') buffer[n - 1] = '\0';
    struct line *l = malloc(sizeof *l);
    l->text = malloc(strlen(buffer));
    strcpy(l->text, buffer); // BUG
    l->next = all;
    all = l;
  }
  while (all) {
    struct line *next = all->next;
    puts(all->text);
    free(all->text);
    free(all);
    all = next;
  }
  return 0;
}
