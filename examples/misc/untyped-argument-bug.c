// What a `void *` points to is tried in every type that it is converted to.
// expect: visit violated null-deref
// expect: same violated error-call

struct node {
    struct node *next;
    int value;
};

extern void reach_error(void);

int visit(void *data)
{
    struct node *n = data;

    if (n && n->value == 17)
        return n->next->value; // BUG
    return 0;
}

int same(void *p, struct node *x)
{
    if (p && p == (void *)x)
        reach_error(); // BUG
    return 0;
}
