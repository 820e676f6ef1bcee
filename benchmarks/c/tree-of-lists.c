#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct word { struct word *next; };
struct index { struct index *lo, *hi; struct word *words; };

static void add_word(struct index *i)
{
    struct word *w = malloc(sizeof *w);
    if (!w)
        exit(1);
    w->next = i->words;
    i->words = w;
}

static struct index *add(struct index *t, int way)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        if (!t)
            exit(1);
        t->lo = t->hi = NULL;
        t->words = NULL;
        add_word(t);
        return t;
    }
    if (way == 0)
        add_word(t);
    else if (way < 0)
        t->lo = add(t->lo, __VERIFIER_nondet_int());
    else
        t->hi = add(t->hi, __VERIFIER_nondet_int());
    return t;
}

static void release(struct index *t)
{
    struct word *w;
    if (t == NULL)
        return;
    while ((w = t->words) != NULL) {
        t->words = w->next;
        free(w);
    }
    release(t->lo);
    release(t->hi);
    free(t);
}

int main(void)
{
    struct index *t = NULL;
    while (__VERIFIER_nondet_int())
        t = add(t, __VERIFIER_nondet_int());
    release(t);
    return 0;
}
