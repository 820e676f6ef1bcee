#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct config { int level; };
struct client { struct client *next; struct config *cfg; };

/* All clients use the same configuration. */
int main(void)
{
    struct config *cfg = malloc(sizeof *cfg);
    struct client *all = NULL, *c;

    if (!cfg)
        abort();
    cfg->level = 1;
    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof *c);
        if (!c)
            abort();
        c->cfg = cfg;
        c->next = all;
        all = c;
    }
    cfg->level = 2;
    free(cfg);
    for (c = all; c; c = c->next)
        assert(c->cfg->level == 2); // BUG
    while (all) {
        c = all;
        all = c->next;
        free(c);
    }
    return 0;
}
