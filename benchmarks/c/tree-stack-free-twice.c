#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { struct tree *l, *r; };
struct stack { struct stack *below; struct tree *t; };

static void push(struct stack **s, struct tree *t)
{
    struct stack *e = malloc(sizeof *e);
    if (!e)
        exit(1);
    e->t = t;
    e->below = *s;
    *s = e;
}

static struct tree *pop(struct stack **s)
{
    struct stack *e = *s;
    struct tree *t = e->t;
    *s = e->below;
    free(e);
    return t;
}

static struct tree *leaf(void)
{
    struct tree *t = malloc(sizeof *t);
    if (!t)
        exit(1);
    t->l = t->r = NULL;
    return t;
}

int main(void)
{
    struct tree *root = leaf(), *t;
    struct stack *s = NULL;

    while (__VERIFIER_nondet_int()) {
        t = root;
        for (;;) {
            struct tree **kid = __VERIFIER_nondet_int() ? &t->l : &t->r;
            if (!*kid) {
                *kid = leaf();
                break;
            }
            t = *kid;
        }
    }
    push(&s, root);
    while (s) {
        t = pop(&s);
        if (t->l) // BUG
            push(&s, t->l);
        if (t->r)
            push(&s, t->l ? t->l : t->r);
        free(t);
    }
    return 0; // BUG
}
