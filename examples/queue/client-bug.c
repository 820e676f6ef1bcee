// After the queue has run empty, the next job is linked behind a freed one.
// test: --int-values 0,1
// expect: main violated use-after-free

#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

typedef struct Job { int id; struct Job *next; } Job;
static Job *head, *tail;

static void enqueue(int id)
{
    Job *j = malloc(sizeof(Job));
    j->id = id;
    j->next = NULL;
    if (tail)
        tail->next = j; // BUG
    else
        head = j;
    tail = j;
}

static int dequeue(void)
{
    Job *j = head;
    int id;
    if (!j)
        return -1;
    id = j->id;
    head = j->next;
    free(j);
    return id;
}

int main(void)
{
    int in = 0, out = 0, step;

    for (step = 0; step < 4; step++) {
        if (__VERIFIER_nondet_int()) {
            enqueue(in++);
        } else {
            int got = dequeue();
            if (in == out)
                assert(got == -1);
            else
                assert(got == out++);
        }
    }
    while (out < in)
        assert(dequeue() == out++);
    assert(head == NULL);
    return 0;
}
