// Arrays inside structs, rows of a matrix, and an address one past the end.
// expect: sum safe
// expect: trace safe

struct sample {
    int values[2];
    int m[2][3];
    int count;
};

//@ requires s != NULL;
int sum(struct sample *s)
{
    int total = 0;

    for (int *p = s->values; p != &s->values[2]; p++)
        total += *p & 1;
    return total;
}

//@ requires s != NULL;
int trace(struct sample *s)
{
    return (s->m[0][0] & 1) + (*(*(s->m + 1) + 2) & 1);
}
