// A failure after thousands of steps, in a run that chooses nothing: the middle of it is not kept.
// expect: main violated use-after-free
// expect[explore]: main violated use-after-free

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
    list = malloc(sizeof *list);
    free(list);
    list->next = NULL; // BUG main
    return 0;

}
