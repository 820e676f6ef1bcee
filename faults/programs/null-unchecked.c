struct pair { int a; int b; };

void f(struct pair *p) {
    p->a = 1;
}
