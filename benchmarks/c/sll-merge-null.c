#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "sll-merge.c", 5, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!cond) { ERROR: { reach_error(); abort(); } } }

typedef struct lnode { struct lnode *nxt; int key; } LNODE;

/* a sorted list: every new head is not above the old one */
static LNODE *build(void)
{
    LNODE *l = NULL;
    while (__VERIFIER_nondet_int()) {
        LNODE *n = malloc(sizeof(LNODE));
        if (n == NULL) abort();
        n->key = __VERIFIER_nondet_int();
        if (l != NULL && l->key < n->key)
            n->key = l->key;
        n->nxt = l;
        l = n;
    }
    return l;
}

static LNODE *merge(LNODE *a, LNODE *b)
{
    LNODE *head, *last;
    if (a == NULL) return b;
    if (b == NULL && a->nxt == NULL) return a;
    if (a->key <= b->key) { head = a; a = a->nxt; } // BUG
    else { head = b; b = b->nxt; }
    last = head;
    while (a != NULL && b != NULL) {
        if (a->key <= b->key) { last->nxt = a; a = a->nxt; }
        else { last->nxt = b; b = b->nxt; }
        last = last->nxt;
    }
    last->nxt = a != NULL ? a : b;
    return head;
}

int main(void)
{
    LNODE *l = merge(build(), build());
    int seen = 0, low = 0;
    while (l != NULL) {
        LNODE *next = l->nxt;
        if (seen)
            __VERIFIER_assert(low <= l->key);
        seen = 1;
        low = l->key;
        free(l);
        l = next;
    }
    return 0;
}
