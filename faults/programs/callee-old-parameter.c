/*@ ensures \result == \old(x); */
static int g(int x) {
    x = 5;
    return x;
}

int f(int y) {
    return g(y);
}
