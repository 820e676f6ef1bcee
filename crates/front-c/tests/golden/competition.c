extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() { __assert_fail("0", "competition.c", 4, "reach_error"); }
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *malloc(unsigned long);
extern void free(void *);
void assume_abort_if_not(int cond) {
    if (!cond) {
        abort();
    }
}

typedef struct node {
    int h;
    struct node *n;
} *List;

int main() {
    List a = (List)malloc(sizeof(struct node));
    if (a == 0)
        goto ERROR_EXIT;
    List t;
    List p = a;
    while (__VERIFIER_nondet_int()) {
        p->h = 1;
        t = (List)malloc(sizeof(struct node));
        if (t == 0)
            exit(1);
        p->n = t;
        p = p->n;
    }
    p->h = 1;
    p->n = 0;
    p = a;
    while (p != 0) {
        if (p->h != 1) {
        ERROR: {
            reach_error();
            abort();
        }
        }
        p = p->n;
    }
    return 0;
ERROR_EXIT:
_EXIT:
    goto _EXIT;
}
