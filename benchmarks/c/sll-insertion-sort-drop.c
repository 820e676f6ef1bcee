#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct SLL {
    struct SLL *next;
    int data;
};

int main(void)
{
    struct SLL *list = NULL, *sorted = NULL, *x, *y, *prev;

    while (__VERIFIER_nondet_int()) {
        x = malloc(sizeof(struct SLL));
        x->next = list;
        x->data = __VERIFIER_nondet_int();
        list = x;
    }

    /* take one after the other, link it into the sorted list */
    while (list != NULL) {
        x = list;
        list = list->next;
        prev = NULL;
        y = sorted;
        while (y != NULL && y->data < x->data) {
            prev = y;
            y = y->next;
        }
        x->next = y;
        if (prev == NULL)
            sorted = x;
        else
            prev = x;
    }

    while (sorted != NULL) {
        x = sorted;
        sorted = sorted->next;
        free(x);
    }
    return 0; // BUG
}
