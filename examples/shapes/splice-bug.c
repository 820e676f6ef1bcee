// Puts one list into another behind a given node, but forgets that the other may be empty.
// test: --engine sll
// expect: splice violated null-deref

#include <stddef.h>

struct item { struct item *link; long load; };

/*@ requires at != NULL && reach(link, at, NULL) && reach(link, extra, NULL);
    requires \inter(content(link, at), content(link, extra)) == \empty;
    ensures reach(link, at, NULL); */
void splice(struct item *at, struct item *extra)
{
    struct item *rest = at->link;
    struct item *last;

    at->link = extra;
    for (last = extra; last->link != NULL; last = last->link) // BUG
        ;
    last->link = rest;
}
