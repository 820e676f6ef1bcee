extern int __VERIFIER_nondet_int(void);

static int g(int c) {
    int x;
    if (c)
        x = 1;
    if (x)
        return 1;
    return 0;
}

void f(void) {
    int c = 1;
    while (__VERIFIER_nondet_int()) {
        g(c);
        c = 0;
    }
}
