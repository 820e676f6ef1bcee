// The slow lane is linked at the place found on the fast lane.
// test: --int-values 0,1
// expect: main violated error-call

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct sl { int key; struct sl *lane[2]; };

static struct sl *node(int key)
{
    struct sl *n = malloc(sizeof *n);
    n->key = key;
    n->lane[0] = NULL;
    n->lane[1] = NULL;
    return n;
}

static void insert(struct sl *head, int key, int tall)
{
    struct sl *p = head, *at[2];
    struct sl *n = node(key);
    int lvl;

    for (lvl = 1; lvl >= 0; lvl--) {
        while (p->lane[lvl] && p->lane[lvl]->key < key)
            p = p->lane[lvl];
        at[lvl] = p;
    }
    for (lvl = 0; lvl <= (tall ? 1 : 0); lvl++) {
        n->lane[lvl] = at[1]->lane[lvl];
        at[1]->lane[lvl] = n;
    }
}

int main(void)
{
    struct sl *head = node(-1), *p, *q;
    int i;

    for (i = 0; i < 3; i++)
        insert(head, 2 * i % 3, __VERIFIER_nondet_int() != 0);
    for (p = head, i = -1; p; p = p->lane[0], i++)
        if (p->key != i)
            reach_error(); // BUG
    for (p = head; p->lane[1]; p = p->lane[1])
        if (p->lane[1]->key <= p->key)
            reach_error();
    for (p = head; p; p = q) {
        q = p->lane[0];
        free(p);
    }
    return 0;
}
