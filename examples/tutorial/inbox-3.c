// The tutorial, third step: a contract says what the inbox is.
// expect: drop safe
// expect[auto]: drop verified
#include <stdlib.h>

struct message {
    struct message *next;
    int id;
};

/*@ requires reach(next, inbox, NULL);
    ensures  reach(next, \result, NULL); */
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
