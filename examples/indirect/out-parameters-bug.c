// Returns something through a pointer to a variable of the caller, but not for an empty list.
// expect: last_key violated uninit
// expect[pdr-forall]: last_key violated uninit

#include <stddef.h>

struct node { int key; struct node *next; };

static void find(struct node *list, struct node **last)
{
    while (list != NULL) {
        *last = list;
        list = list->next;
    }
}

/*@ requires reach(next, list, NULL); */
int last_key(struct node *list)
{
    struct node *last;

    find(list, &last);
    if (last == NULL) // BUG
        return 0;
    return last->key;
}
