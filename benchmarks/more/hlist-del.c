// Deletes from a hash chain as kernels write it: a head that is no node, and no back pointers.

#include <stddef.h>

struct hlist_node {
    struct hlist_node *next;
};

struct hlist_head {
    struct hlist_node *first;
};

/*@ requires bucket != NULL && n != NULL;
    requires reach(next, bucket->first, NULL) && reach(next, bucket->first, n);
    ensures  reach(next, bucket->first, NULL);
    ensures  \forall struct hlist_node *v; v != NULL ==>
                 (reach(next, bucket->first, v) <==> \old(reach(next, bucket->first, v)) && v != n);
    ensures  n->next == NULL; */
void hlist_del(struct hlist_head *bucket, struct hlist_node *n)
{
    struct hlist_node *p = bucket->first;

    if (p == n) {
        bucket->first = n->next;
        goto out;
    }
    while (p->next != n)
        p = p->next;
    p->next = n->next;
out:
    n->next = NULL;
}
