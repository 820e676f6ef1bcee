/* word frequency counter, hash table with chaining, argv file or stdin */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#define NB 7
typedef struct entry { char *word; int n; struct entry *next; } entry;
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 + (unsigned char)*s++; return h % NB; }
static entry *find(entry **tab, const char *w) {
    for (entry *e = tab[hash(w)]; e; e = e->next)
        if (!strcmp(e->word, w)) return e;
    return NULL;
}
static void count(entry **tab, const char *w) {
    entry *e = find(tab, w);
    if (e) { e->n++; return; }
    e = malloc(sizeof(entry));
    if (!e) abort();
    e->word = malloc(strlen(w) + 1);
    if (!e->word) abort();
    strcpy(e->word, w);
    e->n = 1;
    unsigned h = hash(w);
    e->next = tab[h];
    tab[h] = e;
}
static int next_word(FILE *f, char *buf, int size) {
    int c, n = 0;
    while ((c = fgetc(f)) != EOF && !isalpha(c)) ;
    if (c == EOF) return 0;
    do {
        if (n < size - 1)
            buf[n++] = (char)tolower(c);
    } while ((c = fgetc(f)) != EOF && isalpha(c));
    buf[n] = '\0';
    return 1;
}
int main(int argc, char **argv) {
    FILE *f = stdin;
    entry *tab[NB] = { 0 };
    char w[8];
    if (argc > 1 && !(f = fopen(argv[1], "r"))) { perror(argv[1]); return 1; }
    while (next_word(f, w, sizeof w)) count(tab, w);
    for (int i = 0; i < NB; i++)
        for (entry *e = tab[i], *n; e; e = n) {
            n = e->next;
            printf("%s %d\n", e->word, e->n);
            free(e->word); free(e);
        }
    if (f != stdin) fclose(f);
    return 0;
}
