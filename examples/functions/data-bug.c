// What is called is no function.
// expect: main violated bad-call
static int ok(void) { return 0; }

int main(void)
{
    int x = 3;
    int (*f)(void) = ok;
    f = (int (*)(void))(void *)&x;
    return f(); // BUG
}
