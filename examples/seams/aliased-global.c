// An argument may point to a global variable.
// test: --engine pdr-forall
// expect: global_node violated assertion

#include <assert.h>
#include <stddef.h>

struct node { struct node *next; int data; };

struct node global;

//@ requires reach(next, p, NULL) && global.next == NULL;
void global_node(struct node *p)
{
    if (p) {
        global.data = 3;
        p->data = 4;
        assert(global.data == 3); // BUG global_node
    }
}
