// C does not say which operand, argument or side is evaluated first. Where one writes what another
// one reads, compilers differ, and the place is outside the subset; whole calls are made in any order.
// test: --engine explore
// expect: arguments violated assertion
// expect: operands unsupported
// expect: compound unsupported
// expect: sides unsupported
// expect: printed safe
// expect: twice unsupported
// expect: element unsupported
// expect: through_pointer unsupported
// expect: pure safe
// expect: new_memory safe
// expect: copies safe
// expect: sequenced safe

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *left, *right; };

static int count;

static int next(void)
{
    return count++;
}

static int minus(int a, int b)
{
    return a - b;
}

void arguments(void)
{
    count = 0;
    assert(minus(next(), next()) == -1); // BUG arguments
}

void operands(void)
{
    count = 1;
    int r = count + next();
    assert(r == 3);
}

void compound(void)
{
    count = 1;
    count += next();
    assert(count == 3);
}

void sides(int *a, int *b)
{
    int *both[2];
    both[0] = a;
    both[1] = b;
    count = 0;
    both[count] = next() ? a : b;
    assert(both[0] == b);
}

void printed(void)
{
    count = 0;
    printf("%d %d\n", next(), next());
}

void twice(int i)
{
    i = i++ + 1;
}

int element(int i)
{
    int a[3] = {1, 2, 3};
    i = 0;
    return a[i] + a[i++];
}

static int set(int *p)
{
    *p = 3;
    return 1;
}

void through_pointer(void)
{
    int x = 0;
    int y = x + set(&x);
    assert(y == 1);
}

static int size(struct node *t)
{
    return t == NULL ? 0 : 1 + size(t->left) + size(t->right);
}

void pure(void)
{
    struct node leaf = {NULL, NULL}, root = {&leaf, NULL};
    assert(size(&root) + size(&leaf) == 3);
}

static struct node *make(struct node *left, struct node *right)
{
    struct node *t = malloc(sizeof *t);
    t->left = left;
    t->right = right;
    return t;
}

void new_memory(void)
{
    struct node *t = make(make(NULL, NULL), make(NULL, NULL));
    free(t->left);
    free(t->right);
    free(t);
}

void copies(void)
{
    int a[2] = {1, 2}, b[2], *p = a, *q = b, i = 0;
    *q++ = *p++;
    *q = *p;
    b[i++] = a[1];
    assert(i == 1 && b[0] == 2 && b[1] == 2);
}

void sequenced(void)
{
    count = 0;
    if (next() == 0 && next() == 1)
        count = 7;
    int x = next() ? 1 : next();
    assert(x == 1 && count == 8);
}
