/* A tokenizer that builds a list of tokens, and an evaluator of + and -. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { T_NUM, T_PLUS, T_MINUS, T_END } kind_t;

typedef struct token {
    kind_t kind;
    long value;
    struct token *next;
} token;

static token *make(kind_t kind, long value)
{
    token *t = malloc(sizeof *t);
    if (!t)
        return NULL;
    t->kind = kind;
    t->value = value;
    t->next = NULL;
    return t;
}

static void free_tokens(token *t)
{
    while (t) {
        token *n = t->next;
        free(t);
        t = n;
    }
}

static token *tokenize(const char *s)
{
    token *head = NULL, **end = &head;

    for (;;) {
        token *t;
        while (isspace((unsigned char)*s))
            s++;
        if (*s == '\0') {
            t = make(T_END, 0);
        } else if (isdigit((unsigned char)*s)) {
            long v = 0;
            while (isdigit((unsigned char)*s))
                v = v * 10 + (*s++ - '0');
            t = make(T_NUM, v);
        } else if (*s == '+' || *s == '-') {
            t = make(*s == '+' ? T_PLUS : T_MINUS, 0);
            s++;
        } else {
            fprintf(stderr, "unexpected character '%c'\n", *s);
            return NULL;
        }
        if (!t) {
            free_tokens(head);
            return NULL;
        }
        *end = t;
        end = &t->next;
        if (t->kind == T_END)
            return head;
    }
}

static int eval(const token *t, long *result)
{
    long sign = 1, sum = 0;
    for (;;) {
        if (t->kind != T_NUM)
            return -1;
        sum += sign * t->value;
        t = t->next;
        if (t->kind == T_END) {
            *result = sum;
            return 0;
        }
        if (t->kind == T_NUM)
            return -1;
        sign = t->kind == T_PLUS ? 1 : -1;
        t = t->next;
    }
}

int main(void)
{
    const char *inputs[] = { "1 + 22 - 3", "4 4", "7 -", "1 ? 2" };
    size_t i;

    for (i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        token *t = tokenize(inputs[i]);
        long v;
        if (!t)
            continue;
        if (eval(t, &v) == 0)
            printf("%s = %ld\n", inputs[i], v);
        else
            printf("%s: syntax error\n", inputs[i]);
        free_tokens(t);
    }
    return 0; // BUG
}
