// The tutorial, first step: no contract yet.
// expect: drop violated null-deref
#include <stdlib.h>

struct message {
    struct message *next;
    int id;
};

struct message *drop(struct message *inbox, int id)
{
    struct message *m = inbox, *before = NULL;

    while (m->id != id) { // BUG drop
        before = m;
        m = m->next;
    }
    if (before)
        before->next = m->next;
    else
        inbox = m->next;
    free(m);
    return inbox;
}
