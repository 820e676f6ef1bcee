#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct row { char *name; int n; struct row *next; };
int main(void) {
  char text[] = "ann,3;bob,14;;carl";
  struct row *rows = NULL, **end = &rows, *r;
  char *save;
  for (char *p = strtok_r(text, ";", &save); p; p = strtok_r(NULL, ";", &save)) {
    char name[8]; int n;
    if (sscanf(p, "%7[^,],%d", name, &n) != 2) { fprintf(stderr, "bad: %s\n", p); continue; }
    r = malloc(sizeof *r);
    if (!r) break;
    r->name = strndup(name, 5); r->n = n; r->next = NULL;
    *end = r; end = &r->next;
  }
  int sum = 0;
  while ((r = rows)) { sum += r->n; rows = r->next; printf("%s\n", r->name); free(r); }
  return sum == 17 ? 0 : 1; // BUG
}
