// Gives every node of a list a tooth. That no tooth is missing has no universal invariant: a substructure
// may leave a tooth out.

#include <stdlib.h>

struct node {
    struct node *next, *tooth;
};

/*@ requires reach(next, h, NULL);
    requires \forall struct node *u, *v; u != NULL && reach(next, h, u) && reach(tooth, u, v) ==>
                 v == u || v == NULL;
    requires \forall struct node *u; u != NULL && reach(next, h, u) ==> reach(tooth, u, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, h, v) ==> v->tooth != NULL; */
void comb(struct node *h)
{
    struct node *i = h;

    while (i != NULL) {
        struct node *e = malloc(sizeof *e);
        e->next = NULL;
        e->tooth = NULL;
        i->tooth = e;
        i = i->next;
    }
}
