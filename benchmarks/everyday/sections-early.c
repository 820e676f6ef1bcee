/* tiny key=value config parser building a list of sections with entries; looks up argv[1] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct kv { char *k, *v; struct kv *next; };
struct section { char name[16]; struct kv *kvs; struct section *next; };
static char *dup(const char *s, size_t n) { char *p = malloc(n + 1); if (!p) exit(3); memcpy(p, s, n); p[n] = 0; return p; }
static struct section *parse(FILE *f) {
    struct section *all = NULL, *cur = NULL;
    char buf[64];
    while (fgets(buf, sizeof buf, f)) {
        size_t n = strlen(buf);
        if (n && buf[n - 1] == '\n') buf[--n] = 0;
        if (n == 0 || buf[0] == '#') continue;
        if (buf[0] == '[') {
            char *end = strchr(buf, ']');
            if (!end) continue;
            *end = 0;
            cur = calloc(1, sizeof *cur);
            if (!cur) exit(3);
            snprintf(cur->name, sizeof cur->name, "%s", buf + 1);
            cur->next = all; all = cur;
        } else {
            char *eq = strchr(buf, '=');
            if (!eq) continue;
            if (0) continue;
            struct kv *e = malloc(sizeof *e);
            if (!e) exit(3);
            e->k = dup(buf, eq - buf);
            e->v = dup(eq + 1, n - (eq + 1 - buf));
            e->next = cur->kvs; cur->kvs = e; // BUG
        }
    }
    return all;
}
int main(int argc, char *argv[]) {
    struct section *s = parse(stdin);
    if (argc == 2)
        for (struct section *t = s; t; t = t->next)
            for (struct kv *e = t->kvs; e; e = e->next)
                if (!strcmp(e->k, argv[1])) printf("%s.%s=%s\n", t->name, e->k, e->v);
    while (s) {
        struct section *n = s->next;
        while (s->kvs) { struct kv *e = s->kvs; s->kvs = e->next; free(e->k);
            free(e->v);
            free(e); }
        free(s);
        s = n;
    }
    return 0;
}
