#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct Tree { struct Tree *Left, *Right; };

static unsigned made;

static struct Tree *Build(void)
{
    struct Tree *T;
    if (!__VERIFIER_nondet_int())
        return NULL;
    T = malloc(sizeof(struct Tree));
    if (T == NULL)
        abort();
    made++;
    T->Left = Build();
    T->Right = Build();
    return T;
}

static unsigned Destroy(struct Tree *T)
{
    unsigned n;
    if (T == NULL)
        return 0;
    n = Destroy(T->Left) + Destroy(T->Right);
    free(T);
    return n + 1;
}

int main(void)
{
    struct Tree *T = Build();
    assert(Destroy(T) == made);
    return 0;
}
