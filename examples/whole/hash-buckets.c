// A hash table: an array of lists.
// expect[summaries]: main verified

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; unsigned key; };
static struct n *table[8];
int main(void) {
  while (__VERIFIER_nondet_int()) {
    struct n *x = malloc(sizeof *x); x->key = (unsigned)__VERIFIER_nondet_int();
    unsigned h = x->key % 8; x->next = table[h]; table[h] = x;
  }
  for (int i = 0; i < 8; i++) while (table[i]) { struct n *x = table[i]; table[i] = x->next; free(x); }
  return 0;
}
