// The tutorial, last step: a harness that builds any inbox, and asks for the code from another file.
// expect: main safe
// expect[auto]: main verified
#include "inbox-3.c"

int __VERIFIER_nondet_int(void);

int main(void)
{
    struct message *inbox = NULL;

    while (__VERIFIER_nondet_int()) {
        struct message *m = malloc(sizeof *m);
        m->id = __VERIFIER_nondet_int();
        m->next = inbox;
        inbox = m;
    }
    inbox = drop(inbox, 7);
    while (inbox) {
        struct message *next = inbox->next;
        free(inbox);
        inbox = next;
    }
    return 0;
}
