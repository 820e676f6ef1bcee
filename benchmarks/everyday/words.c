#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char text[16];
    int count;
    struct word *left, *right;
};

static struct word *add(struct word *w, const char *text)
{
    int c;
    if (w == NULL) {
        w = calloc(1, sizeof *w);
        if (w == NULL)
            return NULL;
        strncpy(w->text, text, sizeof w->text - 1);
        w->count = 1;
        return w;
    }
    c = strcmp(text, w->text);
    if (c < 0)
        w->left = add(w->left, text);
    else if (c > 0)
        w->right = add(w->right, text);
    else
        w->count++;
    return w;
}

static void release(struct word *w)
{
    if (w == NULL)
        return;
    release(w->left);
    release(w->right);
    free(w);
}

int main(void)
{
    const char *text = "b a b c";
    struct word *words = NULL;
    char word[16];
    size_t n = 0;

    for (;; text++) {
        if (isalpha((unsigned char)*text)) {
            if (n + 1 < sizeof word)
                word[n++] = (char)tolower((unsigned char)*text);
        } else if (n > 0) {
            word[n] = '\0';
            words = add(words, word);
            n = 0;
        }
        if (*text == '\0')
            break;
    }
    if (words != NULL)
        printf("%s %d\n", words->text, words->count);
    release(words);
    return 0;
}
