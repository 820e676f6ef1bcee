/* a tokenizer: splits the first argument into a list of tokens */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { T_NUM, T_ID, T_OP };

struct token {
    enum kind kind;
    char *text;
    struct token *next;
};

static struct token *token_new(enum kind kind, const char *start, size_t len)
{
    struct token *t = malloc(sizeof(struct token));
    if (t == NULL)
        return NULL;
    t->text = malloc(len + 1);
    if (t->text == NULL) {
        free(t);
        return NULL;
    }
    memcpy(t->text, start, len);
    t->text[len] = 0;
    t->kind = kind;
    t->next = NULL;
    return t;
}

static void tokens_free(struct token *t)
{
    struct token *n;
    for (; t != NULL; t = n) {
        n = t->next;
        free(t->text);
        free(t);
    }
}

static struct token *tokenize(const char *s)
{
    struct token *first = NULL, *last = NULL, *t;
    while (*s) {
        const char *start = s;
        enum kind kind;
        if (isspace((unsigned char)*s)) {
            s++;
            continue;
        }
        if (isdigit((unsigned char)*s)) {
            kind = T_NUM;
            while (isdigit((unsigned char)*s))
                s++;
        } else if (isalpha((unsigned char)*s)) {
            kind = T_ID;
            while (isalnum((unsigned char)*s))
                s++;
        } else {
            kind = T_OP;
            s++;
        }
        t = token_new(kind, start, (size_t)(s - start));
        if (t == NULL) {
            tokens_free(first);
            return NULL;
        }
        if (last)
            last->next = t;
        else
            first = t;
        last = t;
    }
    return first;
}

int main(int argc, char **argv)
{
    static const char *names[] = { "number", "name", "operator" };
    struct token *list, *t;
    if (argc != 2) {
        fprintf(stderr, "usage: tokens EXPRESSION\n");
        return 2;
    }
    list = tokenize(argv[1]);
    for (t = list; t; t = t->next)
        printf("%-8s %s\n", names[t->kind], t->text);
    tokens_free(list);
    return 0;
}
