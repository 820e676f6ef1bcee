/* A growing string buffer, and joining words with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct strbuf {
    char *buf;
    size_t len, alloc;
};

#define STRBUF_INIT { NULL, 0, 0 }

static void strbuf_grow(struct strbuf *sb, size_t extra)
{
    if (sb->len + extra > sb->alloc) {
        size_t alloc = sb->len + extra;
        char *buf;
        buf = realloc(sb->buf, alloc);
        if (!buf) {
            fputs("fatal: out of memory\n", stderr);
            exit(128);
        }
        sb->buf = buf;
        sb->alloc = alloc;
    }
}

static void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
    strbuf_grow(sb, len);
    memcpy(sb->buf + sb->len, data, len);
    sb->len += len;
    sb->buf[sb->len] = '\0'; // BUG
}

static void strbuf_addstr(struct strbuf *sb, const char *s)
{
    strbuf_add(sb, s, strlen(s));
}

static void strbuf_addch(struct strbuf *sb, int c)
{
    strbuf_grow(sb, 1);
    sb->buf[sb->len++] = (char)c;
    sb->buf[sb->len] = '\0';
}

static char *strbuf_detach(struct strbuf *sb)
{
    char *s;
    strbuf_grow(sb, 0);
    s = sb->buf;
    sb->buf = NULL;
    sb->len = sb->alloc = 0;
    return s;
}

int main(int argc, char *argv[])
{
    struct strbuf sb = STRBUF_INIT;
    char *joined;
    int i;

    for (i = 1; i < argc; i++) {
        if (i > 1)
            strbuf_addch(&sb, ' ');
        strbuf_addstr(&sb, argv[i]);
    }
    strbuf_addstr(&sb, ".");
    joined = strbuf_detach(&sb);
    printf("%s\n", joined);
    free(joined);
    return 0;
}
