#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct part { struct part *next; void *mem; };

static struct part *part_new(struct part *next)
{
    struct part *p = malloc(sizeof *p);
    if (!p)
        goto out;
    p->mem = __VERIFIER_nondet_int() ? malloc(4) : NULL;
    if (!p->mem)
        goto undo; // BUG
    p->next = next;
    return p;
undo:
out:
return NULL;
}

static void parts_free(struct part *p)
{
    while (p) {
        struct part *n = p->next;
        free(p->mem);
        free(p);
        p = n;
    }
}

int main(void)
{
    struct part *all = NULL;
    int rc = 1;

    while (__VERIFIER_nondet_int()) {
        struct part *p = part_new(all);
        if (!p)
            goto err;
        all = p;
    }
    rc = 0;
err:
    parts_free(all);
    return rc; // BUG
}
