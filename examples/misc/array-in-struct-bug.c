// One past the end of an array lies inside the struct, and is outside all the same.
// expect: sum violated bounds

struct sample {
    int values[2];
    int count;
};

//@ requires s != NULL;
int sum(struct sample *s)
{
    int total = 0;

    for (int i = 0; i <= 2; i++)
        total += s->values[i] & 1; // BUG
    return total;
}
