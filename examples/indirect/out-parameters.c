// Returns two things through pointers to variables of the caller.
// expect: last_key safe
// expect[pdr-forall]: last_key verified

#include <stddef.h>

struct node { int key; struct node *next; };

static void find(struct node *list, struct node **last, int *key)
{
    *last = NULL;
    while (list != NULL) {
        *last = list;
        *key = list->key;
        list = list->next;
    }
}

/*@ requires reach(next, list, NULL);
    ensures  list != NULL ==> \result == 1; */
int last_key(struct node *list)
{
    struct node *last;
    int key = 0;

    find(list, &last, &key);
    if (last == NULL)
        return 0;
    return last->next == NULL && last->key == key;
}
