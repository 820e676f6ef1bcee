// Finds the last node with a given key.

#include <stddef.h>

struct msg {
    struct msg *next;
    int topic;
};

/*@ requires reach(next, m, NULL);
    ensures  \result != NULL ==> reach(next, m, \result) && \result->topic == topic;
    ensures  \forall struct msg *v; v != NULL && reach(next, m, v) && v->topic == topic ==>
                 \result != NULL && reach(next, v, \result); */
struct msg *find_last(struct msg *m, int topic)
{
    struct msg *found = NULL;

    for (; m; m = m->next)
        if (m->topic == topic)
            found = m;
    return found;
}
