/* A variable without a value is without a value in every round. */
extern int nondet(void);
int rounds(int n) {
    int s = 0;
    while (n-- > 0) {
        int x;
        int y;
        y = n;
        if (y > 3)
            x = y;
        s += x;
    }
    return s;
}
