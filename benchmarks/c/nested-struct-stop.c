#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct pos { int x, y; };
struct link { struct shape *next; struct shape *prev; };
struct shape {
    struct pos at;
    struct { struct pos size; struct link by_age; } body;
};

int main(void)
{
    struct shape *first = NULL, *s;

    while (__VERIFIER_nondet_int()) {
        s = malloc(sizeof *s);
        if (!s)
            return 0;
        s->at.x = s->at.y = 0;
        s->body.size = s->at;
        s->body.by_age.prev = NULL;
        s->body.by_age.next = first;
        if (first)
            first->body.by_age.prev = s;
        first = s;
    }
    s = first;
    if (s && s->body.by_age.next)
        s = s->body.by_age.next;
    while (s) {     /* from the end */
        struct shape *p = s->body.by_age.prev;
        free(s);
        s = p;
    }
    return 0; // BUG
    }
