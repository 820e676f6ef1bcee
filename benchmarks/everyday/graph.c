#include <stdio.h>
#include <stdlib.h>
#define N 4
struct edge { int to; struct edge *next; };
static struct edge *graph[N];
static void add(int a, int b) { struct edge *e = malloc(sizeof *e); if (!e) exit(1); e->to = b; e->next = graph[a]; graph[a] = e; }
int main(void) {
  int seen[N] = {0}, queue[N], head = 0, tail = 0;
  add(0, 1); add(1, 2); add(0, 2); add(2, 0);
  queue[tail++] = 0; seen[0] = 1;
  while (head < tail) {
    int v = queue[head++];
    for (struct edge *e = graph[v]; e; e = e->next)
      if (!seen[e->to]) { seen[e->to] = 1; queue[tail++] = e->to; }
  }
  for (int i = 0; i < N; i++) {
    while (graph[i]) { struct edge *e = graph[i]; graph[i] = e->next; free(e); }
    printf("%d: %s\n", i, seen[i] ? "yes" : "no");
  }
  return 0;
}
