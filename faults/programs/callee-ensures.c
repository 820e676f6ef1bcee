/*@ ensures \result == 1; */
static int g(void) {
    return 0;
}

void f(void) {
    g();
}
