// What `assigns` does not allow.
// test: --engine pdr-forall
// expect: other_list violated assigns
// expect: all_but_first violated assigns
// expect: changed_flag violated assigns
// expect: no_such_place violated assigns
// expect: null_place violated assigns
// expect: hidden_in_copy violated assigns
// expect: global violated assigns
// expect: behind_new violated assigns
// expect: not_the_next violated assigns
// expect: overlaid unsupported
// expect: weights unsupported

#include <stdlib.h>

struct node {
    struct node *next;
    int key;
    int mark;
};

int calls;

/*@ requires reach(next, h, NULL) && reach(next, p, NULL) && p != NULL;
    assigns  h->key; */ // BUG
void other_list(struct node *h, struct node *p)
{
    p->key = 1;
}

/*@ requires reach(next, h, NULL);
    assigns  { v->next | struct node *v; reach1(next, h, v) }; */ // BUG
struct node *all_but_first(struct node *h)
{
    struct node *r = NULL;
    while (h) {
        struct node *t = h->next;
        h->next = r;
        r = h;
        h = t;
    }
    return r;
}

/*@ requires reach(next, h, NULL);
    assigns  \nothing; */ // BUG
void changed_flag(struct node *h)
{
    if (h && h->mark)
        h->mark = 1;
}

/*@ requires reach(next, h, NULL) && reach(next, p, NULL) && (h == NULL || h->next == NULL);
    assigns  h->next->key; */ // BUG
void no_such_place(struct node *h, struct node *p)
{
    if (p)
        p->key = 1;
}

/*@ requires h == NULL && reach(next, p, NULL);
    assigns  h->key; */ // BUG
void null_place(struct node *h, struct node *p)
{
    if (p)
        p->key = 1;
}

/*@ requires h != NULL && reach(next, h, NULL);
    assigns  h->key; */ // BUG
void hidden_in_copy(struct node *h)
{
    struct node copy = *h;
    copy.mark = 3;
    *h = copy;
}

/*@ assigns \nothing; */ // BUG
void global(void)
{
    calls = calls + 1;
}

/*@ requires h != NULL && reach(next, h, NULL);
    assigns  h->key; */ // BUG
void behind_new(struct node *h)
{
    struct node *n = calloc(1, sizeof *n);
    n->next = h->next;
    h->next = n;
}

/*@ requires reach(next, h, NULL);
    assigns  { v->next->key | struct node *v; reach(next, h, v) }; */ // BUG
void not_the_next(struct node *h)
{
    if (h && h->next)
        h->key = 3;
}

struct variant {
    struct variant *next;
    union {
        int small;
        long large;
    } u;
};

/*@ requires h != NULL && reach(next, h, NULL);
    assigns  h->u.small; */
void overlaid(struct variant *h)
{
    h->u.small = 1;
}

struct edge {
    struct edge *next;
    double weight;
};

/*@ requires reach(next, a, NULL) && a != NULL && b != NULL && b->next == NULL && a->next == NULL;
    assigns  a->next; */
void weights(struct edge *a, struct edge *b)
{
    *a = *b;
}
