// A tagged union: a value is a number or a pointer to the next value.
// expect: main safe

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
    while (v->tag == LINK) {
        v = v->u.link;
        if (v == NULL)
            return -1;
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
