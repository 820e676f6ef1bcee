// A graph as a list of vertices with lists of edges: marks the neighbours of a vertex.
// test: --objects 3 --int-values 0,1
// expect: mark_neighbours safe

#include <stddef.h>

struct edge;
struct vertex { struct vertex *next; struct edge *out; int mark; };
struct edge { struct edge *next; struct vertex *to; };

/*@ requires v != NULL && reach(next, v->out, NULL);
    requires \forall struct edge *e; e != NULL && reach(next, v->out, e) ==> e->to != NULL;
    assigns  { w->mark | struct vertex *w; w != NULL && \exists struct edge *e; e != NULL && reach(next, v->out, e) && e->to == w };
    ensures  \forall struct edge *e; e != NULL && reach(next, v->out, e) ==> e->to->mark == 1; */
void mark_neighbours(struct vertex *v)
{
    struct edge *e;
    for (e = v->out; e != NULL; e = e->next)
        e->to->mark = 1;
}
