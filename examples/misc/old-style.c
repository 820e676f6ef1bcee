// C as it was written once: no types where `int` is meant, parameters declared behind their list, and
// functions of the library that nobody declares.
// expect: main safe

static count;

add(a, b)
{
    return a + b;
}

int second(p, i)
    int *p;
    int i;
{
    register sum = 0;
    for (i = 0; i < 2; i++) sum = add(sum, p[i]);
    return sum;
}

main()
{
    int *p = (int *)malloc(2 * sizeof(int));
    if (!p) exit(1);
    p[0] = 1;
    p[1] = 2;
    count = second(p, 0);
    assert(count == 3);
    printf("%d\n", count);
    free(p);
    return 0;
}
