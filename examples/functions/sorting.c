// qsort and bsearch of numbers, structs, strings and memory from malloc, with comparators of several kinds.
// expect: main safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
static int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
struct person { int age; const char *name; };
static int by_age(const void *a, const void *b) { return ((const struct person *)a)->age - ((const struct person *)b)->age; }
static int by_name(const void *a, const void *b) { return strcmp(((const struct person *)a)->name, ((const struct person *)b)->name); }
static int by_string(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void) {
    int a[] = { 3, 1, 2, 3 };
    struct person p[] = { { 30, "Zoe" }, { 20, "Ann" }, { 25, "Bob" } };
    char *s[] = { "pear", "fig", "apple" };
    int *h = malloc(3 * sizeof *h);
    int key = 2, *found;
    if (!h) return 1;
    h[0] = 9; h[1] = 8; h[2] = 7;
    qsort(a, 4, sizeof a[0], by_int);
    assert(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 3);
    qsort(p, 3, sizeof *p, by_age);
    assert(p[0].age == 20 && p[2].name[0] == 'Z');
    qsort(p, 3, sizeof *p, by_name);
    assert(p[1].age == 25);
    qsort(s, 3, sizeof s[0], by_string);
    assert(strcmp(s[0], "apple") == 0 && strcmp(s[2], "pear") == 0);
    qsort(h, 3, sizeof(int), by_int);
    assert(h[0] == 7 && h[2] == 9);
    found = bsearch(&key, a, 4, sizeof a[0], by_int);
    assert(found == &a[1]);
    key = 5;
    assert(!bsearch(&key, a, 4, sizeof a[0], by_int));
    free(h);
    return 0;
}
