#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
struct trie { struct trie *child[26]; bool end; };
static struct trie *node(void) { struct trie *t = calloc(1, sizeof *t); if (!t) { perror("calloc"); exit(1); } return t; }
static void insert(struct trie *t, const char *w) {
  for (; *w; w++) { int i = *w - 'a';
    if (!t->child[i]) // BUG
      t->child[i] = node(); t = t->child[i]; }
  t->end = true;
}
static bool has(const struct trie *t, const char *w) {
  for (; *w; w++) { t = t->child[*w - 'a']; if (!t) return false; }
  return t->end;
}
static void drop(struct trie *t) { if (!t) return; for (int i = 0; i < 26; i++) drop(t->child[i]); free(t); }
int main(void) {
  struct trie *t = node();
  insert(t, "cat"); insert(t, "Car");
  printf("%d %d\n", has(t, "cat"), has(t, "ca"));
  drop(t);
  return 0;
}
