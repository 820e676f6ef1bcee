// A switch over an enum: the protocol open, use, close.
// test: --int-values 0,1
// expect: main safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { CLOSED, OPEN, BROKEN };

int main(void)
{
    enum state s = CLOSED;
    int *handle = NULL;
    int i;

    for (i = 0; i < 4; i++) {
        switch (s) {
        case CLOSED:
            if (handle)
                reach_error();
            handle = malloc(sizeof *handle);
            *handle = i;
            s = OPEN;
            break;
        case OPEN:
            if (*handle > i)
                reach_error();
            if (__VERIFIER_nondet_int()) {
                s = BROKEN;
                break;
            }
            /* fall through */
        case BROKEN:
            free(handle);
            handle = NULL;
            s = CLOSED;
            break;
        default:
            reach_error();
        }
    }
    free(handle);
    return 0;
}
