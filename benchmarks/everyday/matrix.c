#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  int rows = 3, cols = 2;
  int **m = malloc(rows * sizeof *m);
  if (!m) return 1;
  for (int i = 0; i < rows; i++) { m[i] = calloc(cols, sizeof **m); if (!m[i]) { while (i--) free(m[i]); free(m); return 1; } }
  for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++) m[i][j] = i * j;
  char buf[64]; int at = 0;
  for (int i = 0; i < rows; i++) { at += snprintf(buf + at, sizeof buf - at, "%d ", m[i][1]); free(m[i]); }
  free(m);
  puts(buf);
  return strcmp(buf, "0 1 2 ") != 0;
}
