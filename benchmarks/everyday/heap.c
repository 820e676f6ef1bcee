#include <stdio.h>
#include <stdlib.h>
struct pq { int *a; size_t n, cap; };
static void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
static int push(struct pq *q, int v) {
  if (q->n == q->cap) { size_t c = q->cap ? q->cap * 2 : 1; int *a = realloc(q->a, c * sizeof(int)); if (!a) return 0; q->a = a; q->cap = c; }
  size_t i = q->n++; q->a[i] = v;
  while (i && q->a[(i - 1) / 2] > q->a[i]) { swap(&q->a[i], &q->a[(i - 1) / 2]); i = (i - 1) / 2; }
  return 1;
}
static int pop(struct pq *q) {
  int r = q->a[0]; q->a[0] = q->a[--q->n];
  for (size_t i = 0;;) {
    size_t l = 2 * i + 1, m = i;
    if (l < q->n && q->a[l] < q->a[m]) m = l;
    if (l + 1 < q->n && q->a[l + 1] < q->a[m]) m = l + 1;
    if (m == i) break;
    swap(&q->a[i], &q->a[m]); i = m;
  }
  return r;
}
int main(void) {
  struct pq q = {0};
  int in[] = {5, 2, 8, 1}, last = 0;
  for (int i = 0; i < 4; i++) if (!push(&q, in[i])) { free(q.a); return 1; }
  while (q.n) { int v = pop(&q); if (v < last) return 2; last = v; }
  free(q.a);
  return 0;
}
