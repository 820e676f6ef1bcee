// The visitor may free the node, but the loop reads its link afterwards: a use after free at
// the marked line.
// expect: main violated use-after-free

#include <stdlib.h>
#include <assert.h>

struct node { struct node *next; int v; };

static int total;

static void sum(struct node *n) { total += n->v; }
static void kill(struct node *n) { free(n); }

static void each(struct node *h, void (*f)(struct node *))
{
    while (h) {
        f(h);
        h = h->next; // BUG
    }
}

int main(void)
{
    struct node *h = NULL;
    int i;
    for (i = 1; i <= 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = h;
        h = n;
    }
    each(h, sum);
    assert(total == 6);
    each(h, kill);
    return 0;
}
