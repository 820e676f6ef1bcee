#include <stdio.h>
#include <string.h>
#include <assert.h>
struct ring { char data[4]; unsigned head, tail; };
static int put(struct ring *r, char c) { if (r->tail - r->head == sizeof r->data) return 0; r->data[r->tail++ % sizeof r->data] = c; return 1; }
static int get(struct ring *r) { if (r->head == r->tail) return EOF; return (unsigned char)r->data[r->head++ % sizeof r->data]; }
int main(void) {
  struct ring r; memset(&r, 0, sizeof r);
  const char *s = "hello";
  int n = 0; while (*s && put(&r, *s)) s++, n++;
  assert(n == 4 && *s == 'o');
  int c; char out[5]; size_t k = 0;
  while ((c = get(&r)) != EOF) out[k++] = (char)c;
  out[k] = 0; assert(strcmp(out, "hell") == 0 && k == strlen(out));
  return 0;
}
