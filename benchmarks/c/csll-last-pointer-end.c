extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void) __attribute__((__noreturn__));

/* A circular list by its last node: both ends in one step. */
struct N { struct N *s; int v; };
typedef struct N *P;

int main(void)
{
    P last = 0;
    P x;

    for (;;) {
        int what = __VERIFIER_nondet_int();
        if (what == 0)
            break;
        x = malloc(sizeof(struct N));
        if (x == 0)
            abort();
        x->v = what;
        if (last == 0) {
            x->s = x;
            last = x;
        } else {
            x->s = last->s;
            last->s = x;
            if (what > 0)
                last = x;
        }
    }
    while (last != 0) {
        x = last->s; // BUG
        if (x->v == 0)
            __VERIFIER_error();
        last->s = x->s;
        free(x);
    }
    return 0;
}
