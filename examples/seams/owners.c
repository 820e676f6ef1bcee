// Memory of no struct type may hold pointers: who frees it loses what they lead to.
// expect: strings violated leak
// expect: cells violated leak
// expect: in_a_member violated leak
// expect: of_any_type violated leak
// expect[pdr-forall]: strings unsupported
// expect[pdr-forall]: cells unsupported
// expect[pdr-forall]: in_a_member unsupported
// expect[pdr-forall]: of_any_type violated leak

#include <stdlib.h>

struct cell {
    int value;
};

struct row {
    char **names;
};

struct box {
    void *content;
};

/*@ ensures \true; */
void strings(char **names)
{
    free(names);
} // BUG strings

/*@ ensures \true; */
void cells(struct cell **cells)
{
    free(cells);
} // BUG cells

/*@ requires r != NULL && (void *)r->names != (void *)r; */
void in_a_member(struct row *r)
{
    free(r->names);
    r->names = NULL;
} // BUG in_a_member

/*@ requires b != NULL && b->content != (void *)b; */
void of_any_type(struct box *b)
{
    free(b->content);
    b->content = NULL;
} // BUG of_any_type
