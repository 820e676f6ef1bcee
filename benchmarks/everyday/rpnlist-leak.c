/* RPN calculator with a linked stack, tokens from stdin */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
struct cell { long val; struct cell *below; };
static struct cell *top;
static int depth;
static void push(long v) {
    struct cell *c = malloc(sizeof *c);
    if (!c) { perror("malloc"); exit(1); }
    c->val = v; c->below = top; top = c; depth++;
}
static long pop(void) {
    struct cell *c = top;
    if (!c) { fprintf(stderr, "stack empty\n"); exit(2); } // BUG
    long v = c->val;
    top = c->below;
    depth--;
    return v;
}
int main(void) {
    char tok[16];
    while (scanf("%15s", tok) == 1) {
        if (isdigit((unsigned char)tok[0])) push(strtol(tok, NULL, 10));
        else if (strcmp(tok, "+") == 0) { long b = pop(), a = pop(); push(a + b); }
        else if (strcmp(tok, "*") == 0) { long b = pop(), a = pop(); push(a * b); }
        else if (strcmp(tok, "dup") == 0) { long a = pop(); push(a); push(a); }
        else if (strcmp(tok, "swap") == 0) { long b = pop(), a = pop(); push(b); push(a); }
        else if (strcmp(tok, "drop") == 0) {
            if (top) pop();
        } else if (strcmp(tok, "p") == 0) { if (top) printf("%ld\n", top->val); }
        else fprintf(stderr, "? %s\n", tok);
    }
    while (top) { struct cell *n = top->below; free(top); top = n; }
    return 0;
}
