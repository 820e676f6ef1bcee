#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct CSLL { struct CSLL *next; };

int main(void)
{
    struct CSLL *head, *x, *n;

    head = malloc(sizeof(struct CSLL));
    if (head == NULL)
        return 1;
    head->next = head;
    while (__VERIFIER_nondet_int()) {
        x = malloc(sizeof(struct CSLL));
        if (x == NULL)
            abort();
        x->next = head->next;
        head->next = x;
    }
    x = head->next;
    while (x != head) {
        n = x->next;
        free(x);
        x = n;
    }
    free(head);
    return 0;
}
