// A function of which nothing is known may be called: no answer.
// expect: main unsupported
extern int elsewhere(int);
static int here(int x) { return x; }

int main(int argc, char **argv)
{
    int (*f)(int) = argc > 1 ? elsewhere : here;
    (void)argv;
    return f(0);
}
