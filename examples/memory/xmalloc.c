// Memory that gets its type when it is used.
// test: --engine pdr-forall
// expect: push verified
// expect: push_bug violated uninit
// expect: fresh verified

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int data; };

static void *xmalloc(size_t size)
{
    void *p = malloc(size);
    if (!p)
        abort();
    return p;
}

static void *xzalloc(size_t size)
{
    return memset(xmalloc(size), 0, size);
}

/*@ requires reach(next, h, NULL);
    ensures  \result != NULL && \result->next == h; */
struct node *push(struct node *h)
{
    struct node *n = xmalloc(sizeof *n);
    n->next = h;
    n->data = 1;
    return n;
}

/*@ requires reach(next, h, NULL); */
struct node *push_bug(struct node *h)
{
    struct node *n = xmalloc(sizeof *n);
    n->data = 1;
    if (n->next == h) // BUG push_bug
        return h;
    return n;
}

struct node *fresh(void)
{
    struct node *n = xzalloc(sizeof *n);
    assert(n->next == NULL && n->data == 0);
    return n;
}
