#include <stdlib.h>
int __VERIFIER_nondet_int(void);

typedef struct d { struct d *next; } D;
typedef struct c { struct c *next; D *down; } C;
typedef struct b { struct b *next; C *down; } B;
typedef struct a { struct a *next; B *down; } A;

#define PUSH(T, list) do { T *x_ = malloc(sizeof(T)); if (!x_) abort(); x_->next = (list); (list) = x_; } while (0)
#define POP(T, list) do { T *x_ = (list)->next; free(list); (list) = x_; } while (0)

int main(void)
{
    A *top = NULL;

    while (__VERIFIER_nondet_int()) {
        PUSH(A, top);
        top->down = NULL;
        while (__VERIFIER_nondet_int()) {
            PUSH(B, top->down);
            top->down->down = NULL;
            while (__VERIFIER_nondet_int()) {
                PUSH(C, top->down->down);
                top->down->down->down = NULL;
                while (__VERIFIER_nondet_int())
                    PUSH(D, top->down->down->down);
            }
        }
    }
    while (top) {
        while (top->down) {
            while (top->down->down) {
                if (top->down->down->down)
                    POP(D, top->down->down->down);
                POP(C, top->down->down); // BUG
            }
            POP(B, top->down);
        }
        POP(A, top);
    }
    return 0; // BUG
}
