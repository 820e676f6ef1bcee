// The counter goes down even when there is nothing to delete.
// test: --int-values 0,1
// expect: main violated assertion

#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static struct item { struct item *next; } *items;
static int count;

static void add(void)
{
    struct item *i = malloc(sizeof *i);
    i->next = items;
    items = i;
    ++count;
}

static void del(void)
{
    struct item *i = items;
    --count;
    if (i == NULL)
        return;
    items = i->next;
    free(i);
}

static int length(void)
{
    int n = 0;
    struct item *i = items;
    while (i) {
        i = i->next;
        n++;
    }
    return n;
}

int main(void)
{
    int step;
    for (step = 0; step < 4; step++) {
        if (__VERIFIER_nondet_int())
            add();
        else
            del();
        assert(length() == count); // BUG
    }
    return 0;
}
