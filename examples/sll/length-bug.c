// Counts links instead of nodes, so a list of one node has length zero.
// expect: length violated postcondition

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, \null);
    assigns \nothing;
    ensures \result >= 0;
    ensures \result == 0 <==> h == \null; // BUG
*/
int length(const struct node *h)
{
    int n = 0;
    for (; h && h->next; h = h->next)
        n++;
    return n;
}
