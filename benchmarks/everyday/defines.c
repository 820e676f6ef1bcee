#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASHSIZE 101

struct nlist {              /* table entry */
    struct nlist *next;
    char *name;
    char *defn;
};

static struct nlist *hashtab[HASHSIZE];

static unsigned hash(const char *s)
{
    unsigned h;
    for (h = 0; *s != '\0'; s++)
        h = (unsigned char)*s + 31 * h;
    return h % HASHSIZE;
}

static char *copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);
    if (p != NULL)
        strcpy(p, s);
    return p;
}

struct nlist *lookup(const char *s)
{
    struct nlist *np;
    for (np = hashtab[hash(s)]; np != NULL; np = np->next)
        if (strcmp(s, np->name) == 0)
            return np;
    return NULL;
}

struct nlist *install(const char *name, const char *defn)
{
    struct nlist *np;
    unsigned h;
    if ((np = lookup(name)) == NULL) {
        np = malloc(sizeof(*np));
        if (np == NULL)
            return NULL;
        np->name = copy(name);
        if (np->name == NULL) {
            free(np);
            return NULL;
        }
        np->defn = copy(defn);
        if (np->defn == NULL) {
            free(np->name);
            free(np);
            return NULL;
        }
        h = hash(name);
        np->next = hashtab[h];
        hashtab[h] = np;
    } else {
        char *d = copy(defn);
        if (d == NULL)
            return NULL;
        free(np->defn);
        np->defn = d;
    }
    return np;
}

static void release(void)
{
    int i;
    for (i = 0; i < HASHSIZE; i++) {
        struct nlist *np = hashtab[i], *next;
        while (np) {
            next = np->next;
            free(np->name);
            free(np->defn);
            free(np);
            np = next;
        }
        hashtab[i] = NULL;
    }
}

int main(int argc, char *argv[])
{
    int i;
    for (i = 1; i + 1 < argc; i += 2) {
        if (install(argv[i], argv[i + 1]) == NULL) {
            fprintf(stderr, "cannot define %s\n", argv[i]);
            release();
            return 1;
        }
    }
    for (i = 1; i < argc; i++) {
        struct nlist *np = lookup(argv[i]);
        if (np)
            printf("#define %s %s\n", np->name, np->defn);
    }
    release();
    return 0;
}
