struct bits {
    unsigned a : 3, b : 5;
    int c;
};
struct __attribute__((packed)) tight {
    char c;
    int i;
};
extern int elsewhere;
extern int unknown(int);
//@ ensures \result >= 0;
extern int known(int);
volatile int flag;
int (*callback)(int);
double half = 0.5;

int each(struct bits *s, struct tight *t, int n, double d) {
    s->a = 1;
    n += s->b;
    n += t->i;
    n += elsewhere;
    n += unknown(n);
    n += known(n);
    n += flag;
    n += callback(n);
    int vla[n];
    vla[0] = d > half;
    __asm__("nop");
    callback = known;
    float f = 1.0f;
    return n + (int)f;
}

int sum(int n, ...) { return n; }
