// Cuts a list in two before a given node.

#include <stddef.h>

struct car {
    struct car *behind;
};

/*@ requires reach(behind, train, at) && reach(behind, at, NULL);
    requires at != train;
    ensures  reach(behind, train, NULL) && reach(behind, at, NULL);
    ensures  \forall struct car *c; c != NULL ==>
                 (reach(behind, train, c) <==> \old(reach(behind, train, c)) && !\old(reach(behind, at, c)));
    ensures  \forall struct car *c; reach(behind, at, c) <==> \old(reach(behind, at, c)); */
void split_at(struct car *train, struct car *at)
{
    while (1) {
        if (train->behind == at) {
            train->behind = NULL;
            return;
        }
        train = train->behind;
    }
}
