// A whole program starts with its globals as they are initialised.
// test: --engine pdr-forall
// expect: main verified

#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

struct node *top;
int count, seen = 3;
struct node last = { NULL, 5 }, first = { &last, 6 };

int main(void)
{
    for (int i = 0; i < 10; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = top;
        n->value = 1;
        top = n;
    }
    while (top) {
        struct node *t = top;
        top = t->next;
        free(t);
    }
    //@ assert count == 0 && seen == 3 && first.next == &last && last.value == 5;
    return 0;
}
