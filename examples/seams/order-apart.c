// Everyday expressions whose operands do not meet are not refused; those that may meet are, by
// whatever way they reach the same memory.
// test: --engine explore
// expect: other_member safe
// expect: other_struct safe
// expect: freed_node safe
// expect: choice safe
// expect: literal safe
// expect: recursion safe
// expect: same_member unsupported
// expect: inner unsupported
// expect: same_union unsupported
// expect: freed unsupported
// expect: freed_around unsupported
// expect: copied unsupported
// expect[summaries]: other_member verified
// expect[summaries]: other_struct verified
// expect[summaries]: freed_node verified
// expect[summaries]: choice verified
// expect[summaries]: recursion verified

#include <assert.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
struct stack { struct node *head; int height, sum; };
struct cursor { struct node *at; int passed; };
struct tree { struct tree *left, *right; int weight, total; };
struct inner { int x; };
struct outer { struct inner in; struct cursor cursor; };
union number { int i; long l; };

//@ assigns \nothing;
int input(void);

static int pop(struct stack *s)
{
    struct node *n = s->head;
    int value = n->value;
    s->head = n->next;
    s->height--;
    free(n);
    return value;
}

static int advance(struct cursor *c)
{
    int value = c->at->value;
    c->at = c->at->next;
    c->passed++;
    return value;
}

static int total(struct tree *t)
{
    if (t == NULL)
        return 0;
    int left = total(t->left), right = total(t->right);
    t->total = left + right + t->weight;
    return t->total;
}

static struct node *cons(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

void other_member(void)
{
    struct tree leaf = {NULL, NULL, 2, 0}, root = {&leaf, NULL, 3, 0};
    root.weight += total(root.left);
    root.total = total(root.left) + root.weight;
    assert(root.weight == 5 && root.total == 7);
}

void other_struct(void)
{
    struct node n = {NULL, 4};
    struct cursor c = {&n, 0};
    struct stack s = {NULL, 0, 1};
    struct stack *p = &s;
    p->sum += advance(&c);
    assert(s.sum == 5 && c.passed == 1);
}

void freed_node(void)
{
    struct stack s = {cons(7, NULL), 1, 0};
    struct stack *p = &s;
    p->sum += pop(p);
    assert(s.sum == 7 && s.height == 0);
}

void choice(void)
{
    struct stack s = {cons(7, NULL), 1, 0};
    int x = pop(&s) + 0 * input();
    struct node *n = cons(input(), cons(x, NULL));
    assert(n->next->value == 7);
    free(n->next);
    free(n);
}

static int id(int x)
{
    return x;
}

void literal(void)
{
    struct tree t = {NULL, NULL, 1, 2}, *p = &t, *q = p;
    *q = (struct tree){p->left, NULL, p->weight, id(p->total)};
    assert(t.weight == 1 && t.total == 2);
}

static int size(struct tree *t)
{
    return t == NULL ? 0 : 1 + size(t->left) + size(t->right);
}

void recursion(void)
{
    struct tree leaf = {NULL, NULL, 2, 0}, root = {&leaf, NULL, 3, 0};
    root.weight = size(&root) + size(root.left);
    assert(root.weight == 3);
}

void same_member(void)
{
    struct tree root = {NULL, NULL, 3, 0}, *t = &root;
    t->weight = t->total + total(t);
    assert(t->weight == 3);
}

static int set_inner(struct inner *p)
{
    p->x = 3;
    return 1;
}

void inner(void)
{
    struct outer all = {{1}, {NULL, 0}}, *o = &all;
    int r = o->in.x + set_inner(&o->in);
    assert(r == 2);
}

static int set_number(union number *u)
{
    u->i = 1;
    return 1;
}

void same_union(void)
{
    union number n, *u = &n;
    u->l = 5;
    long r = u->l + set_number(u);
    assert(r == 6);
}

static int drop(struct node *n)
{
    free(n);
    return 1;
}

void freed(void)
{
    struct node *n = cons(1, NULL);
    int r = n->value + drop(n);
    assert(r == 2);
}

static int drop_inner(struct inner *p)
{
    free(p);
    return 1;
}

void freed_around(void)
{
    struct outer *o = malloc(sizeof *o);
    struct cursor *c = &o->cursor;
    c->passed = 1;
    int r = c->passed + drop_inner(&o->in);
    assert(r == 2);
}

static int copy(struct tree *to, struct tree *from)
{
    *to = *from;
    return 1;
}

void copied(void)
{
    struct tree a = {NULL, NULL, 1, 1}, b = {NULL, NULL, 2, 2}, *t = &a;
    int r = t->weight + copy(t, &b);
    assert(r == 2);
}
