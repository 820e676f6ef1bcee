// Found beside a lost overflow: compilers accept these constants.
enum { TOP = 1 << 31, LOW = -1 << 3 };
static int top = 1 << 31;
int f(int x) {
    int array[(1 << 31) < 0 ? 2 : 1];
    switch (x) {
    case 1 << 31:
        return TOP;
    case LOW:
        return (int)sizeof array;
    }
    return top;
}
