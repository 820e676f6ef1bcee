// Counts the nodes of a list; the count is zero exactly for the empty list.
// expect: length safe

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, \null);
    assigns \nothing;
    ensures \result >= 0;
    ensures \result == 0 <==> h == \null;
    ensures \result == 1 <==> h != \null && h->next == \null;
    ensures \result >= 3 <==> h != \null && h->next != \null && h->next->next != \null; */
int length(const struct node *h)
{
    int n = 0;
    for (; h; h = h->next)
        n++;
    return n;
}
