#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum kind { NUMBER, PAIR };

struct value {
    enum kind kind;
    union {
        int number;
        struct { struct value *car, *cdr; } pair;
    } u;
};

static struct value *number(int n)
{
    struct value *v = malloc(sizeof *v);
    if (!v)
        abort();
    v->kind = NUMBER;
    v->u.number = n;
    return v;
}

static struct value *cons(struct value *car, struct value *cdr)
{
    struct value *v = malloc(sizeof *v);
    if (!v)
        abort();
    v->kind = PAIR;
    v->u.pair.car = car;
    v->u.pair.cdr = cdr;
    return v;
}

int main(void)
{
    struct value *l = NULL;

    while (__VERIFIER_nondet_int())
        l = cons(number(5), l);
    while (l) {
        struct value *next;
        assert(l->kind == PAIR);
        next = l->u.pair.cdr;
        assert(l->u.pair.car->kind == NUMBER);
        assert(l->u.pair.car->u.number == 5);
        free(l); // BUG
        l = next;
    }
    return 0; // BUG
}
