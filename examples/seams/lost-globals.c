// A global that is only written loses what it pointed to, also where the heap is not reached over a
// few fields in turn.
// expect: clear violated leak
// expect: set violated leak
// expect: fresh violated leak
// expect: swap safe
// expect: keep safe
// expect[pdr-forall]: clear violated leak
// expect[pdr-forall]: set violated leak
// expect[pdr-forall]: fresh violated leak
// expect[pdr-forall]: swap verified
// expect[pdr-forall]: keep verified

#include <stdlib.h>

struct node {
    struct node *next;
    void *payload;
};

struct node *head, *spare;

/*@ requires \forall struct node *v; reach(next, v, NULL); */
void clear(void)
{
    head = NULL;
} // BUG

/*@ requires \forall struct node *v; reach(next, v, NULL); */
void set(struct node *h)
{
    head = h;
} // BUG

/*@ requires \forall struct node *v; reach(next, v, NULL); */
void fresh(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = NULL;
    n->payload = NULL;
    head = n;
} // BUG

/*@ requires \forall struct node *v; reach(next, v, NULL); */
void swap(void)
{
    struct node *h = head;
    head = spare;
    spare = h;
}

/*@ requires \forall struct node *v; reach(next, v, NULL); */
struct node *keep(void)
{
    struct node *h = head;
    head = NULL;
    return h;
}
