/* Expressions: nodes that know how to evaluate and to free themselves, read from a string. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct expr {
    int (*eval)(const struct expr *);
    void (*destroy)(struct expr *);
};

struct number {
    struct expr base;
    int value;
};

struct binary {
    struct expr base;
    struct expr *left, *right;
    int (*apply)(int, int);
};

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static int eval(const struct expr *e) { return e->eval(e); }
static void destroy(struct expr *e)
{
    if (e) e->destroy(e);
}

static int number_eval(const struct expr *e) { return ((const struct number *)e)->value; }
static void number_destroy(struct expr *e) { free(e); }

static int binary_eval(const struct expr *e)
{
    const struct binary *b = (const struct binary *)e;
    int left = eval(b->left), right = eval(b->right);
    return b->apply(left, right);
}

static void binary_destroy(struct expr *e)
{
    struct binary *b = (struct binary *)e;
    destroy(b->left);
    destroy(b->right);
    free(b);
}

static struct expr *new_number(int value)
{
    struct number *n = malloc(sizeof *n);
    if (!n) return NULL;
    n->base.eval = number_eval;
    n->base.destroy = number_destroy;
    n->value = value;
    return &n->base;
}

static struct expr *new_binary(int (*apply)(int, int), struct expr *left, struct expr *right)
{
    struct binary *b = left && right ? malloc(sizeof *b) : NULL;
    if (!b) {
        destroy(left);
        destroy(right);
        return NULL;
    }
    b->base.eval = binary_eval;
    b->base.destroy = binary_destroy;
    b->left = left;
    b->right = right;
    b->apply = apply;
    return &b->base;
}

/* Prefix notation: "+1*23" is 1 + 2 * 3. */
static struct expr *parse(const char **s)
{
    static const struct { char sign; int (*apply)(int, int); } operators[] = {
        { '+', add }, { '-', sub }, { '*', mul }
    };
    char c = *(*s);
    if (c == '\0') return NULL;
    ++*s;
    if (isdigit((unsigned char)c)) return new_number(c - '0');
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        struct expr *left, *right;
        if (operators[i].sign != c) continue;
        left = parse(s);
        right = parse(s);
        return new_binary(operators[i].apply, left, right);
    }
    return NULL;
}

int main(void)
{
    static const char *const lines[] = { "+1*23", "-+4", "7" };
    int total = 0, errors = 0;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const char *s = lines[i];
        struct expr *e = parse(&s);
        if (e == NULL) {
            fprintf(stderr, "cannot read %s\n", lines[i]);
            errors++;
            continue;
        }
        total += eval(e);
        destroy(e);
    }
    printf("%d, %d errors\n", total, errors);
    return total == 14 && errors == 1 ? 0 : 1;
}
