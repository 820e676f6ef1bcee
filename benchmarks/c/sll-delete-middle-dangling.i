extern void *malloc (unsigned long __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) __attribute__ ((__alloc_size__ (1))) ;
extern void free (void *__ptr) __attribute__ ((__nothrow__ , __leaf__));
extern void abort (void) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
extern int __VERIFIER_nondet_int(void);

struct T {
    int data;
    struct T* next;
};

int main()
{
    struct T* head = malloc(sizeof(struct T));
    if (!head)
        abort();
    head->next = ((void *)0);
    head->data = 0;

    while (__VERIFIER_nondet_int()) {
        struct T* x = malloc(sizeof(struct T));
        if (!x)
            abort();
        x->data = __VERIFIER_nondet_int();
        x->next = head->next;
        head->next = x;
    }

    struct T* p = head;
    while (p->next != ((void *)0) && __VERIFIER_nondet_int())
        p = p->next;
    if (p->next != ((void *)0)) {
        struct T* victim = p->next;
        free(victim);
    }

    while (head != ((void *)0)) {
        p = head;
        head = head->next; // BUG
        free(p);
    }
    return 0;
}
