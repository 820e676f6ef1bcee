// Rows and columns: procedures that call each other, and a global.
// expect[summaries]: main verified

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *down, *right; };
static unsigned made;
static struct node *column(void);
static struct node *row(void) {
  if (!__VERIFIER_nondet_int()) return NULL;
  struct node *n = malloc(sizeof *n);
  made++;
  n->down = column();
  n->right = row();
  return n;
}
static struct node *column(void) {
  return __VERIFIER_nondet_int() ? row() : NULL;
}
static void drop_column(struct node *n);
static void drop_row(struct node *n) {
  while (n) {
    struct node *next = n->right;
    drop_column(n->down);
    free(n);
    n = next;
  }
}
static void drop_column(struct node *n) {
  if (n) {
    drop_row(n->right);
    drop_column(n->down);
    free(n);
  }
}
int main(void) {
  struct node *n = row();
  drop_row(n);
  return made > 7;
}
