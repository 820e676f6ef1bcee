struct pair { int a; int b; };

int f(void) {
    struct pair x, y;
    x.a = 1;
    y = x;
    if (y.b)
        return 1;
    return 0;
}
