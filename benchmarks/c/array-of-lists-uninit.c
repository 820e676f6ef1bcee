#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct n { struct n *next; } n_t;

static void clear(n_t **p)
{
    while (*p) { // BUG
        n_t *d = *p;
        *p = d->next;
        free(d);
    }
}

int main(void)
{
    n_t *lists[3];
    int i;
    lists[0] = lists[1] = NULL;

    while ((i = __VERIFIER_nondet_int()) != 0 && i != 2) {
        n_t *x;
        if (i < 0 || i >= 3)
            continue;
        x = malloc(sizeof *x);
        if (!x)
            break;
        x->next = lists[i]; // BUG
        lists[i] = x;
    }
    for (i = 0; i < 3; i++)
        clear(&lists[i]);
    return 0;
}
