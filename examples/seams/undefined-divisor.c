// Whoever divides by a value that was never written may divide by zero, in every engine.
// test: --engine pdr-forall
// expect: divisor unsupported

int divisor(void)
{
    int z;
    return 10 / z;
}
