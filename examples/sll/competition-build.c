// Competition style: builds a list of unknown length, checks it, frees it.
// test: --int-values 0,1,2,3
// expect: main safe

extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void *malloc(unsigned long);
extern void free(void *);
void reach_error(void) { abort(); }

typedef struct list {
    int n;
    struct list *next;
} *mlist;

int main(void)
{
    mlist head = 0, p;
    int len = __VERIFIER_nondet_int();
    int i, seen = 0;

    __VERIFIER_assume(len >= 0 && len <= 3);
    for (i = 0; i < len; i++) {
        p = (mlist) malloc(sizeof(*p));
        p->n = i;
        p->next = head;
        head = p;
    }
    for (p = head; p; p = p->next) {
        seen++;
        if (p->n != len - seen)
            reach_error();
    }
    if (seen != len)
        reach_error();
    while (head) {
        p = head->next;
        free(head);
        head = p;
    }
    return 0;
}
