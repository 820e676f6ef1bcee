#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct T { struct T *left, *right; int red; } T;

static T *node(T *l, T *r)
{
    T *t = malloc(sizeof(T));
    if (!t)
        abort();
    t->left = l;
    t->right = r;
    t->red = 0;
    return t;
}

static T *rotate_left(T *x)
{
    T *y = x->right;
    x->right = NULL;
    y->left = x; // BUG
    return y;
}

static T *rotate_right(T *y)
{
    T *x = y->left;
    y->left = x->right;
    x->right = y;
    return x;
}

/* No recursion: the left spine is rotated away. */
static void destroy(T *t)
{
    while (t) {
        if (t->left)
            t = rotate_right(t);
        else {
            T *r = t->right;
            assert(!t->red);
            free(t);
            t = r;
        }
    }
}

int main(void)
{
    T *t = NULL;
    while (__VERIFIER_nondet_int()) {
        t = __VERIFIER_nondet_int() ? node(t, NULL) : node(NULL, t);
        if (t->right && __VERIFIER_nondet_int())
            t = rotate_left(t);
        else if (t->left && __VERIFIER_nondet_int())
            t = rotate_right(t);
    }
    destroy(t);
    return 0; // BUG
}
