// A visitor: a function pointer is called for every node.
// expect: main safe

#include <stdlib.h>
#include <assert.h>

struct node { struct node *next; int v; };

static int total;

static void sum(struct node *n) { total += n->v; }
static void kill(struct node *n) { free(n); }

static void each(struct node *h, void (*f)(struct node *))
{
    while (h) {
        struct node *next = h->next;
        f(h);
        h = next;
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
