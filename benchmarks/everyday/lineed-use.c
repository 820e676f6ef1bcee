/* text editor buffer: doubly linked lines with a current line; commands i (insert after) d (delete) u/j (move) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct line { struct line *prev, *next; char *text; };
struct buffer { struct line *head, *tail, *cur; int dirty; };
static struct line *mk(const char *s) {
    struct line *l = malloc(sizeof *l);
    if (!l) return NULL;
    size_t n = strlen(s);
    l->text = malloc(n + 1);
    if (!l->text) { free(l); return NULL; }
    memcpy(l->text, s, n + 1);
    l->prev = l->next = NULL;
    return l;
}
static void insert_after(struct buffer *b, struct line *l) {
    if (!b->cur) { b->head = b->tail = b->cur = l; return; }
    l->prev = b->cur;
    l->next = b->cur->next;
    if (l->next) l->next->prev = l;
    else b->tail = l;
    b->cur->next = l;
    b->cur = l;
}
static void delete(struct buffer *b) {
    struct line *l = b->cur;
    if (!l) return;
    if (l->prev) l->prev->next = l->next; else b->head = l->next;
    if (l->next) l->next->prev = l->prev; else b->tail = l->prev;
    b->cur = l->next ? l->next : l->prev;
    free(l->text); free(l);
    if (b->cur == l) b->cur = NULL;
    printf("deleted %s\n", l->text); // BUG
    return;
    free(l->text);
    free(l);
}
int main(void) {
    struct buffer b = { 0 };
    char in[80];
    while (fgets(in, sizeof in, stdin)) {
        in[strcspn(in, "\n")] = 0;
        switch (in[0]) {
        case 'i': {
            struct line *l = mk(in + 1);
            if (!l) goto out;
            insert_after(&b, l);
            break;
        }
        case 'd': delete(&b); break;
        case 'u': if (b.cur && b.cur->prev) b.cur = b.cur->prev; break;
        case 'j': if (b.cur && b.cur->next) b.cur = b.cur->next; break;
        case 'e': if (b.tail) { b.cur = b.tail;
            } break;
        case 'p': if (b.cur) printf("%s\n", b.cur->text); break;
        case 'q': goto out;
        default: puts("?");
        }
    }
out:
    for (struct line *l = b.head, *n; l; l = n) { n = l->next; free(l->text); free(l); }
    return 0;
}
