// A state machine whose states are functions that return the next one.
// expect: main safe
#include <assert.h>
#include <stddef.h>

struct machine;
struct step { struct step (*next)(struct machine *, int); };
struct machine { int count; };

static struct step idle(struct machine *m, int c);
static struct step busy(struct machine *m, int c)
{
    struct step next = { c == 0 ? idle : busy };
    m->count++;
    return next;
}

static struct step idle(struct machine *m, int c)
{
    struct step next = { c == 1 ? busy : idle };
    (void)m;
    return next;
}

int main(void)
{
    struct machine m = { 0 };
    struct step at = { idle };
    int in[] = { 0, 1, 1, 0, 1 };
    for (size_t i = 0; i < sizeof in / sizeof in[0]; i++) at = at.next(&m, in[i]);
    assert(m.count == 2 && at.next == busy);
    return 0;
}
