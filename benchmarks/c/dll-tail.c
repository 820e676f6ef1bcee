#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct TDLL {
    struct TDLL *next;
    struct TDLL *prev;
} DLL;

static DLL *first, *last;

static void push_front(void)
{
    DLL *x = malloc(sizeof(DLL));
    if (!x) abort();
    x->prev = NULL;
    x->next = first;
    if (first) first->prev = x; else last = x;
    first = x;
}

static void push_back(void)
{
    DLL *x = malloc(sizeof(DLL));
    if (!x) abort();
    x->next = NULL;
    x->prev = last;
    if (last) last->next = x; else first = x;
    last = x;
}

static void pop_back(void)
{
    DLL *x = last;
    if (!x) return;
    last = x->prev;
    if (last) last->next = NULL; else first = NULL;
    free(x);
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) push_front();
        else if (__VERIFIER_nondet_int()) push_back();
        else pop_back();
    }
    while (last)
        pop_back();
    assert(!first);
    return 0;
}
