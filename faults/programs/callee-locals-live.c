struct pair { int a; int b; };

static struct pair *g(void) {
    struct pair x;
    x.a = 1;
    struct pair *p = &x;
    return p;
}

void f(void) {
    struct pair *p = g();
    p->a = 2;
}
