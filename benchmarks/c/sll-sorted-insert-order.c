#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct elem {
    int key;
    struct elem *next;
};

/* Keeps the list in ascending order. */
static void insert(struct elem **list, int key)
{
    struct elem *e = malloc(sizeof *e), *prev = NULL, *cur = *list;
    if (e == NULL)
        abort();
    e->key = key;
    while (cur != NULL && cur->key != key) {
        prev = cur;
        cur = cur->next;
    }
    e->next = cur;
    if (prev == NULL)
        *list = e;
    else
        prev->next = e;
}

int main(void)
{
    struct elem *list = NULL, *e;

    while (__VERIFIER_nondet_int())
        insert(&list, __VERIFIER_nondet_int());

    for (e = list; e != NULL && e->next != NULL; e = e->next)
        assert(e->key <= e->next->key); // BUG

    while (list != NULL) {
        e = list;
        list = e->next;
        free(e);
    }
    return 0;
}
