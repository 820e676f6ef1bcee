/* binary search tree of strings with delete, built from command line args */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct T { struct T *l, *r; const char *key; } T;
static T *put(T *t, const char *k) {
    if (!t) { t = malloc(sizeof *t); if (!t) exit(1); t->l = t->r = 0; t->key = k; return t; }
    int c = strcmp(k, t->key);
    if (c < 0) t->l = put(t->l, k); else if (c > 0) t->r = put(t->r, k);
    return t;
}
static T *del(T *t, const char *k) {
    if (!t) return 0;
    int c = strcmp(k, t->key); // BUG
    if (c < 0) t->l = del(t->l, k);
    else if (c > 0) t->r = del(t->r, k);
    else {
        if (!t->l) { T *r = t->r; free(t); return r; }
        if (!t->r) { T *l = t->l; free(t); return l; }
        T *m = t->r;
        while (m->l) m = m->l;
        t->key = m->key;
        free(m);
    }
    return t;
}
static void clear(T *t) { if (t) { clear(t->l); clear(t->r); free(t); } } // BUG
int main(int argc, char **argv) {
    T *root = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') root = del(root, argv[i] + 1);
        else root = put(root, argv[i]);
    }
    clear(root);
    return 0;
}
