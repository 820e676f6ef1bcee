/* Lines, words and characters of standard input, and the longest word. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 32

struct counts {
    unsigned long lines, words, chars;
    char longest[LONGEST + 1];
};

static void end_word(struct counts *c, char *word, size_t *len)
{
    if (*len == 0)
        return;
    word[*len] = '\0';
    c->words++;
    if (*len > strlen(c->longest))
        strcpy(c->longest, word);
    *len = 0;
}

int main(void)
{
    struct counts counts = { 0, 0, 0, "" };
    char word[LONGEST + 1];
    size_t len = 0;
    int c;

    while ((c = getchar()) != EOF) {
        counts.chars++;
        if (c == '\n')
            counts.lines++;
        if (isspace(c))
            end_word(&counts, word, &len);
        else if (len < LONGEST)
            word[len++] = (char)c;
    }
    end_word(&counts, word, &len);
    printf("%lu %lu %lu %s\n", counts.lines, counts.words, counts.chars, counts.longest);
    return 0;
}
