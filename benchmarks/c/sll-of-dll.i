typedef long unsigned int size_t;
extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) ;
extern void free (void *__ptr) __attribute__ ((__nothrow__ , __leaf__));
extern void abort (void) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
extern int __VERIFIER_nondet_int(void);

struct dll {
    struct dll *next;
    struct dll *prev;
};
struct sll {
    struct sll *next;
    struct dll *sub;
};

static void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p)
        abort();
    return p;
}

static struct dll *dll_create(void)
{
    struct dll *d = ((void *)0);
    while (__VERIFIER_nondet_int()) {
        struct dll *x = xmalloc(sizeof(struct dll));
        x->next = d;
        x->prev = ((void *)0);
        if (d)
            d->prev = x;
        d = x;
    }
    return d;
}

static void dll_destroy(struct dll *d)
{
    while (d) {
        struct dll *next = d->next;
        if (next)
            next->prev = ((void *)0);
        free(d);
        d = next;
    }
}

int main(void)
{
    struct sll *l = ((void *)0);
    while (__VERIFIER_nondet_int()) {
        struct sll *x = xmalloc(sizeof(struct sll));
        x->sub = dll_create();
        x->next = l;
        l = x;
    }
    while (l) {
        struct sll *x = l;
        l = x->next;
        dll_destroy(x->sub);
        free(x);
    }
    return 0;
}
