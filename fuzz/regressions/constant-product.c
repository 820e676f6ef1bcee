// Folding this product overflowed 128 bits.
unsigned long f(void) { return 18446744073709551615UL * 18446744073709551615UL; }
