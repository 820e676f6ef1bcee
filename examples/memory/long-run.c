// A run of thousands of steps that chooses nothing is followed to its end, and one that goes round
// for ever is noticed.
// expect: main verified
// expect[explore]: main verified

#include <stdlib.h>

struct node { struct node *next; };

int main(void)
{
    struct node *list = NULL;
    int i;

    for (i = 0; i < 800; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    for (i = 0;; i = (i + 1) % 7)
        ;
}
