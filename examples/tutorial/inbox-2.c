// The tutorial, second step: the loop ends where the list does.
// expect: drop safe
#include <stdlib.h>

struct message {
    struct message *next;
    int id;
};

struct message *drop(struct message *inbox, int id)
{
    struct message *m = inbox, *before = NULL;

    while (m && m->id != id) {
        before = m;
        m = m->next;
    }
    if (!m)
        return inbox;
    if (before)
        before->next = m->next;
    else
        inbox = m->next;
    free(m);
    return inbox;
}
