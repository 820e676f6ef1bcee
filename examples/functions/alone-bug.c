// Which function a caller has stored is not known, but it may be none; and one that is looked at
// without being called may be any.
// expect: sort violated null-deref
// expect: chosen violated assertion
#include <assert.h>
#include <stddef.h>

struct list { int (*cmp)(int, int); };

int sort(struct list *l)
{
    if (!l) return 0;
    return l->cmp(1, 2); // BUG
}

void chosen(struct list *l)
{
    if (l) assert(!l->cmp); // BUG
}
