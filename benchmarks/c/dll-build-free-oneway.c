#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct dnode {
    struct dnode *next, *prev;
    int data;
};

int main(void)
{
    struct dnode *head = NULL, *d;

    while (__VERIFIER_nondet_int()) {
        d = malloc(sizeof *d);
        if (!d)
            return 0;
        d->data = 0;
        d->prev = NULL;
        d->next = head;
        if (head && head->next == NULL)
            head->prev = d;
        head = d;
    }
    for (d = head; d; d = d->next)
        if (d->next)
            assert(d->next->prev == d); // BUG
    while (head) {
        d = head->next;
        free(head);
        head = d;
    }
    return 0;
}
