// Output functions read strings up to their end, and formats can make them write.
// test: --engine explore
// expect: unterminated violated bounds
// expect: handed_on violated bounds
// expect: freed violated use-after-free
// expect: untyped violated use-after-free
// expect: null violated null-deref
// expect: never_written violated uninit
// expect: counted unsupported
// expect: counted_short unsupported
// expect: format unsupported
// expect: too_few unsupported
// expect: cut_off unsupported
// expect: no_stream violated null-deref
// expect: some_stream violated null-deref
// expect: harmless safe
// expect[pdr-forall]: numbers verified

#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

void unterminated(void)
{
    char a[2] = {'a', 'b'};
    printf("%5d %-8s\n", 1, a); // BUG unterminated
}

void handed_on(void)
{
    char a[2] = {'a', 'b'}, *p = a;
    fputs(p, stdout); // BUG handed_on
}

void freed(void)
{
    char *p = malloc(2);
    p[0] = 0;
    free(p);
    puts(p); // BUG freed
}

void untyped(void)
{
    void *p = malloc(1);
    free(p);
    printf("%s", p); // BUG untyped
}

void null(void)
{
    char *p = NULL;
    fprintf(stderr, "%s", p); // BUG null
}

void never_written(void)
{
    char a[2];
    a[0] = 'a';
    puts(a); // BUG never_written
}

void counted(void)
{
    int n = 0;
    printf("abc%n", &n);
    assert(n == 0);
}

void counted_short(void)
{
    short n = 0;
    printf("abc%hn", &n);
    assert(n == 0);
}

void format(void)
{
    int n = 0;
    const char *f = "abc%n";
    printf(f, &n, "d");
    assert(n == 0);
}

void too_few(void)
{
    printf("%d %s", 1);
}

void cut_off(void)
{
    char a[2] = {'a', 'b'};
    printf("%.*s", 2, a);
}

void no_stream(void)
{
    fprintf(NULL, "abc"); // BUG no_stream
}

void some_stream(FILE *out)
{
    fputc('a', out); // BUG some_stream
}

void harmless(void)
{
    char a[3] = "ab";
    printf("%s %s %d%%n\n", a, "abc", 3);
    puts(a);
    perror(NULL);
}

//@ requires \true;
int numbers(int x)
{
    int *p = malloc(sizeof *p);
    printf("%p %5.2d %c %lu\n", (void *)p, x, 'a', 5ul);
    free(p);
    return x;
}
