// The end of the chain is not checked.
// expect: main violated null-deref

#include <stddef.h>
#include <assert.h>

enum tag { NUMBER, LINK };

struct value {
    enum tag tag;
    union {
        int number;
        struct value *link;
    } u;
};

static int last_number(struct value *v)
{
    while (v->tag == LINK) { // BUG
        v = v->u.link;
    }
    return v->u.number;
}

int main(void)
{
    struct value one, two, three;

    one.tag = NUMBER;
    one.u.number = 1;
    two.tag = LINK;
    two.u.link = &one;
    three.tag = LINK;
    three.u.link = &two;
    assert(last_number(&three) == 1);
    two.u.link = NULL;
    assert(last_number(&three) == -1);
    return 0;
}
