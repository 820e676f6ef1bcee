#include <string.h>

struct vec { int arr[4]; };

void f(struct vec *a) {
    if (a)
        memcpy(&a->arr[1], &a->arr[0], 8);
}
