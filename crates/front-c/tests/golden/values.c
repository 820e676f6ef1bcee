/* Structs by value: nested, assigned, passed, returned, initialised. */
struct point {
    int x, y;
};
struct line {
    struct point a, b;
    char tag;
};
union number {
    int i;
    char bytes[4];
    struct {
        short low, high;
    };
};
struct node {
    struct {
        struct node *left, *right;
    } kids;
    union number n;
    struct line l[2];
};

struct point flip(struct point p) {
    struct point r = {p.y, p.x};
    return r;
}

int use(struct node *n, int i) {
    struct line l = {.b = {.y = 4}, .tag = 'z'};
    struct point copy;
    copy = l.b;
    l.a = flip(copy);
    n->l[1] = l;
    n->l[i].b.x += flip(l.a).y;
    n->kids.left->kids.right = n;
    n->n.bytes[i] = 1;
    n->n.low = n->n.i >> 16;
    struct point *pp = &(struct point){1, 2};
    struct point q = i ? *pp : l.a;
    int table[] = {1, 2, [5] = 3};
    char text[8] = "abc";
    return q.x + table[i] + (int)sizeof(table) + text[0] + sizeof n->l;
}
