#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct tn { int k; struct tn *kid[2]; };

static struct tn *root;

static void add(int k)
{
    struct tn **at = &root;
    while (*at) {
        if ((*at)->k == k)
            return;
        at = &(*at)->kid[(*at)->k < k];
    }
    *at = malloc(sizeof(struct tn));
    if (!*at)
        abort();
    (*at)->k = k;
    (*at)->kid[0] = (*at)->kid[1] = NULL;
}

static int has(int k)
{
    struct tn *t = root;
    while (t && t->k != k)
        t = t->kid[t->k > k];
    return t != NULL;
}

static void drop(struct tn *t)
{
    if (t) {
        drop(t->kid[0]);
        drop(t->kid[1]);
        free(t);
    }
}

int main(void)
{
    int k = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int())
        add(__VERIFIER_nondet_int());
    add(k);
    while (__VERIFIER_nondet_int())
        add(__VERIFIER_nondet_int());
    assert(has(k)); // BUG
    drop(root);
    return 0;
}
