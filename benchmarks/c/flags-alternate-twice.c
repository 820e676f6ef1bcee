extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

typedef struct Cell { int bit; struct Cell *next; } *Cell;

int main(void)
{
    Cell l = 0, c;
    int bit = 0;

    while (__VERIFIER_nondet_int()) {
        c = (Cell)malloc(sizeof(struct Cell));
        if (!c)
            return 1;
        c->bit = bit;
        if (l == 0 || l->bit)
            bit = !bit;
        c->next = l;
        l = c;
    }
    while (l) {
        c = l->next;
        if (c && c->bit == l->bit)
            reach_error(); // BUG
        free(l);
        l = c;
    }
    return 0;
}
