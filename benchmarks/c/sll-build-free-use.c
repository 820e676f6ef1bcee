#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
    int value;
};

static struct item *alloc_or_die(void)
{
    struct item *pi = malloc(sizeof(*pi));
    if (!pi)
        abort();
    return pi;
}

int main(void)
{
    struct item *head = NULL;

    while (__VERIFIER_nondet_int()) {
        struct item *pi = alloc_or_die();
        pi->value = __VERIFIER_nondet_int();
        pi->next = head;
        head = pi;
    }

    while (head) {
        free(head);
        head = head->next; // BUG
    }
    return 0;
}
