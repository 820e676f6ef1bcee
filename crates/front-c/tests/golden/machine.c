enum state { IDLE, RUN = 5, STOP, FAIL = -1 };
typedef enum state state_t;
enum { LIMIT = 1 << 4 };

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

int step(state_t s, char c) {
    int n = 0;
    switch (s) {
    case IDLE:
        n = 1;
    case RUN:
        n++;
        break;
    case STOP: {
        int x = c;
        int *p = &x;
        n = *p;
        break;
    }
    case 10 ... LIMIT:
        return c;
    default:
        __VERIFIER_error();
    }
    switch (c) {
        int unused;
    case 'a':
        unused = 1;
        n += unused;
    }
    return n;
}

int run(void) {
    state_t s = __VERIFIER_nondet_int();
    __VERIFIER_assume(s == IDLE || s == RUN);
    unsigned char u = (unsigned char)s;
    short h = u + 1;
    long long big = 4000000000;
    unsigned w = -1;
    int i = w > 0, j = h < u, k = big >> 3;
    _Bool b = &i != 0, d = 2;
    i <<= 2;
    u *= 3;
    return step(s, u) ? ~i & 0xF : (j, k) % 3 + b + d;
}
