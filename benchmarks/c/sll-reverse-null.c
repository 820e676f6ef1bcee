extern void *malloc(unsigned long size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
#define NULL ((void *)0)

typedef struct node {
    int h;
    struct node *n;
} *List;

int main(void)
{
    List a = NULL, b = NULL, t;
    int len = 0, back = 0;

    while (__VERIFIER_nondet_int()) {
        t = (List) malloc(sizeof(struct node));
        if (t == NULL)
            return 1;
        t->h = 1;
        t->n = a;
        a = t;
        len++;
    }
    /* reverse in place */
    while (a != NULL) {
        t = a->n;
        a->n = b;
        b = a;
        a = t->n; // BUG
    }
    while (b != NULL) {
        if (b->h != 1)
            reach_error();
        t = b->n;
        free(b);
        b = t;
        back++;
    }
    if (len != back)
        reach_error();
    return 0;
}
