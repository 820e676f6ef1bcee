// Gives the used blocks of a pool back, and marks the free ones too.

#include <stddef.h>

struct block {
    struct block *link;
    int owner;
};

struct pool {
    struct block *used;
    struct block *avail;
};

/*@ requires p != NULL && reach(link, p->used, NULL) && reach(link, p->avail, NULL);
    requires \forall struct block *b; b != NULL && reach(link, p->used, b) ==> !reach(link, p->avail, b);
    assigns  p->used, p->avail, { b->owner | struct block *b; reach(link, p->used, b) },
             { b->link | struct block *b; reach(link, p->used, b) };
    ensures  p->used == NULL && reach(link, p->avail, NULL);
    ensures  \forall struct block *b; b != NULL ==>
                 (reach(link, p->avail, b) <==> \old(reach(link, p->used, b)) || \old(reach(link, p->avail, b))); */
void reset(struct pool *p)
{
    struct block *b;

    while ((b = p->used) != NULL) {
        p->used = b->link;
        if (p->avail)
            p->avail->owner = 0;
        b->link = p->avail;
        p->avail = b;
    }
} // BUG
