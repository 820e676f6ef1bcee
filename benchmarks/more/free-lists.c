// Frees a list of lists.

#include <stdlib.h>

struct word {
    struct word *right;
};

struct line {
    struct line *down;
    struct word *words;
};

/*@ requires reach(down, l, NULL);
    requires \forall struct line *k; k != NULL && reach(down, l, k) ==> reach(right, k->words, NULL);
    requires \forall struct line *j, *k, struct word *w; j != k && j != NULL && k != NULL && w != NULL &&
                 reach(down, l, j) && reach(down, l, k) && reach(right, j->words, w) ==>
                     !reach(right, k->words, w);
    ensures  \forall struct line *k; k != NULL && \old(reach(down, l, k)) ==> !alloc(k);
    ensures  \forall struct word *w; w != NULL ==> !alloc(w); */
void drop(struct line *l)
{
    while (l != NULL) {
        struct line *done = l;
        for (struct word *w = l->words; w != NULL; ) {
            struct word *r = w->right;
            free(w);
            w = r;
        }
        l = l->down;
        free(done);
    }
}
