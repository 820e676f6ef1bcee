#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXWORD 50

struct tnode {
    char *word;
    int count;
    struct tnode *left, *right;
};

static struct tnode *addtree(struct tnode *p, const char *w)
{
    int cond;
    if (p == NULL) {
        p = malloc(sizeof *p);
        if (p == NULL)
            exit(1);
        p->word = strdup(w);
        if (p->word == NULL)
            exit(1);
        p->count = 1;
        p->left = p->right = NULL;
    } else if ((cond = strcmp(w, p->word)) == 0)
        p->count++;
    else if (cond < 0)
        p->left = addtree(p->left, w);
    else
        p->right = addtree(p->right, w);
    return p;
}

static void treeprint(const struct tnode *p)
{
    if (p != NULL) {
        treeprint(p->left);
        printf("%4d %s\n", p->count, p->word);
        treeprint(p->right);
    }
}

static void freetree(struct tnode *p)
{
    if (p == NULL)
        return;
    freetree(p->left);
    freetree(p->right);
    free(p->word);
    free(p);
}

static int getword(char *word, int lim)
{
    int c, n = 0;
    while ((c = getchar()) != EOF && !isalpha(c))
        ;
    if (c == EOF)
        return 0;
    do {
        if (n < lim - 1)
            word[n++] = (char)tolower(c);
        c = getchar();
    } while (c != EOF && isalpha(c));
    word[n] = '\0';
    return n;
}

int main(void)
{
    struct tnode *root = NULL;
    char word[MAXWORD];
    while (getword(word, MAXWORD) > 0)
        root = addtree(root, word);
    treeprint(root);
    freetree(root);
    return 0;
}
