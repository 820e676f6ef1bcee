// Puts one list into another behind a given node.
// test: --engine sll
// expect: splice verified
// expect[canonical]: splice verified

#include <stddef.h>

struct item { struct item *link; long load; };

/*@ requires at != NULL && reach(link, at, NULL) && reach(link, extra, NULL);
    requires \inter(content(link, at), content(link, extra)) == \empty;
    ensures reach(link, at, NULL);
    ensures extra != NULL ==> at->link == extra; */
void splice(struct item *at, struct item *extra)
{
    struct item *rest = at->link;
    struct item *last;

    if (extra == NULL)
        return;
    at->link = extra;
    for (last = extra; last->link != NULL; last = last->link)
        ;
    last->link = rest;
}
