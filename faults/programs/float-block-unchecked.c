#include <string.h>

struct box { double d; int k; };

void f(struct box *b) {
    memset(&b->d, 0, sizeof b->d);
}
