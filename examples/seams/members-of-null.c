// A precondition that reads a member says that there is something to read it from, whatever else it
// says: of numbers, of all nodes, or of a list in memory.
// expect: ahead safe
// expect[sll]: ahead verified
// expect[pdr-forall]: ahead verified
// expect[canonical]: ahead verified
// expect: beside safe
// expect[sll]: beside verified
// expect[pdr-forall]: beside verified
// expect[proveit]: beside verified
// expect: either violated leak

#include <stddef.h>

struct node { struct node *next; int value; };

/*@ requires n->next == NULL && k > 3;
    ensures  n->next == NULL; */
void ahead(struct node *n, int k)
{
    n->next = NULL;
}

/*@ requires \forall struct node *v; reach(next, v, NULL);
    requires n->next == NULL;
    ensures  n->next == NULL; */
void beside(struct node *list, struct node *n)
{
    n->next = NULL;
}

/*@ requires (n->next == NULL) <==> (k > 3); */
void either(struct node *n, int k)
{
    n->next = NULL;
} // BUG either
