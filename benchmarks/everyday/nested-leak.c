/* Parses nested lists, such as (a(bc)d), and prints how deep they are. */
#include <stdio.h>
#include <stdlib.h>

struct value {
    char letter;            /* 0: a list */
    struct value *items;    /* of a list */
    struct value *next;     /* in a list */
};

static int ahead;

static void advance(void)
{
    ahead = getchar();
}

static void drop(struct value *v)
{
    while (v) {
        struct value *next = v->next;
        drop(v->items);
        free(v);
        v = next;
    }
}

static struct value *make(char letter)
{
    struct value *v = malloc(sizeof *v);
    if (v) {
        v->letter = letter;
        v->items = v->next = NULL;
    }
    return v;
}

static struct value *parse(int depth)
{
    struct value *v, **end;
    if (depth > 5)
        return NULL;
    if (ahead >= 'a' && ahead <= 'z') {
        v = make((char)ahead);
        advance();
        return v;
    }
    if (ahead != '(')
        return NULL;
    advance();
    v = make(0);
    if (!v)
        return NULL;
    end = &v->items;
    while (ahead != ')') {
        *end = parse(depth + 1);
        if (!*end) {
            free(v);
            return NULL;
        }
        end = &(*end)->next;
    }
    advance();
    return v;
}

static int depth(const struct value *v)
{
    int most = 0;
    const struct value *i;
    if (v->letter)
        return 0;
    for (i = v->items; i; i = i->next) {
        int d = depth(i);
        if (d > most)
            most = d;
    }
    return most + 1;
}

int main(void)
{
    struct value *v;
    advance();
    v = parse(0);
    if (!v) {
        fprintf(stderr, "this is no list\n");
        return 1; // BUG
    }
    printf("%d\n", depth(v));
    drop(v);
    return 0;
}
