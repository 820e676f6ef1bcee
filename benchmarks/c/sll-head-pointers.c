#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

/* Every node knows the head of its list. */
struct member {
    struct member *next;
    struct member *head;
};

int main(void)
{
    struct member *h, *m;

    h = malloc(sizeof *h);
    if (h == NULL)
        exit(1);
    h->next = NULL;
    h->head = h;
    while (__VERIFIER_nondet_int()) {
        m = malloc(sizeof *m);
        if (m == NULL)
            exit(1);
        m->head = h;
        m->next = h->next;
        h->next = m;
    }
    for (m = h; m != NULL; m = m->next)
        assert(m->head == h);
    m = h->next;
    while (m != NULL) {
        struct member *n = m->next;
        m->head->next = n;
        free(m);
        m = n;
    }
    free(h);
    return 0;
}
