// A broken handle is freed at once, and then again when the state is cleaned up.
// test: --int-values 0,1
// expect: main violated double-free

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
                free(handle);
                break;
            }
            /* fall through */
        case BROKEN:
            free(handle); // BUG
            handle = NULL;
            s = CLOSED;
            break;
        default:
            reach_error();
        }
    }
    if (s == OPEN)
        free(handle);
    return 0;
}
