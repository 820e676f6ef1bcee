// Unlinks a node with the smallest key.

#include <stddef.h>

struct task {
    struct task *next;
    int due;
};

struct task *todo;

/*@ requires todo != NULL && reach(next, todo, NULL);
    ensures  reach(next, todo, NULL);
    ensures  \result != NULL && \old(reach(next, todo, \result)) && !reach(next, todo, \result);
    ensures  \forall struct task *v; v != NULL ==>
                 (reach(next, todo, v) <==> \old(reach(next, todo, v)) && v != \result);
    ensures  \forall struct task *v; v != NULL && reach(next, todo, v) ==> \result->due <= v->due;
    ensures  \result->next == NULL; */
struct task *remove_min(void)
{
    struct task *best = todo, *before_best = NULL;

    for (struct task *p = todo; p->next != NULL; p = p->next) {
        if (p->next->due < best->due) {
            before_best = p;
            best = p->next;
        }
    }
    if (before_best == NULL)
        todo = best->next;
    else
        before_best->next = best->next;
    best->next = NULL;
    return best;
}
