struct small { int a; };
struct big { struct small s; int b; };

void g(struct big *b) {
    b->b = 2;
}

void f(struct small *s) {
    if (s)
        ((struct big *)s)->b = 1;
}
