/* Runs models (`model_f`) and the functions of the library (`f`) on the same arguments. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

unsigned long next_choice(void) { return 0; }

#define CHECK(c) ((c) ? (void)0 : (printf("line %d: %s (%s, %s, %d)\n", __LINE__, #c, A, B, N), exit(1)))
static const char *A = "", *B = "";
static int N;

size_t model_strlen(const char *), model_strnlen(const char *, size_t);
size_t trellis_length(const char *), trellis_length_up_to(const char *, size_t);
size_t model_strspn(const char *, const char *), model_strcspn(const char *, const char *);
char *model_strcpy(char *, const char *), *model_stpcpy(char *, const char *);
char *model_strncpy(char *, const char *, size_t), *model_strcat(char *, const char *);
char *model_strncat(char *, const char *, size_t), *model_strdup(const char *);
char *model_strndup(const char *, size_t), *model_strchr(const char *, int);
char *model_strrchr(const char *, int), *model_strstr(const char *, const char *);
char *model_strpbrk(const char *, const char *), *model_strtok(char *, const char *);
char *model_strtok_r(char *, const char *, char **);
int model_strcmp(const char *, const char *), model_strcoll(const char *, const char *);
int model_strncmp(const char *, const char *, size_t);
int model_strcasecmp(const char *, const char *);
int model_strncasecmp(const char *, const char *, size_t);
int model_memcmp(const void *, const void *, size_t);
void *model_memchr(const void *, int, size_t);
#define CHARACTER(f) int model_##f(int);
CHARACTER(isupper) CHARACTER(islower) CHARACTER(isalpha) CHARACTER(isdigit) CHARACTER(isxdigit)
CHARACTER(isalnum) CHARACTER(isspace) CHARACTER(isblank) CHARACTER(iscntrl) CHARACTER(isprint)
CHARACTER(isgraph) CHARACTER(ispunct) CHARACTER(tolower) CHARACTER(toupper)
int model_abs(int), model_atoi(const char *);
long model_labs(long), model_atol(const char *), model_strtol(const char *, char **, int);
long long model_llabs(long long), model_atoll(const char *);
long long model_strtoll(const char *, char **, int);
unsigned long model_strtoul(const char *, char **, int);
unsigned long long model_strtoull(const char *, char **, int);
void *model_realloc(void *, size_t), *model_reallocarray(void *, size_t, size_t);
size_t trellis_put_text(char *, size_t, size_t, const char *, size_t, size_t, int);
size_t trellis_put_character(char *, size_t, size_t, int, size_t, int);
size_t trellis_put_number(char *, size_t, size_t, unsigned long long, char, int, char, size_t, int, int);
char trellis_sign(long long, char);
unsigned long long trellis_magnitude(long long);
void trellis_put_end(char *, size_t, size_t);
size_t trellis_format(char *, size_t, const char *, va_list);
int trellis_call_printf(const char *, ...);

const char *trellis_scan_space(const char *), *trellis_scan_literal(const char *, char);
const char *trellis_scan_number(const char *, int, size_t, unsigned long long *);
const char *trellis_scan_character(const char *, char *);
const char *trellis_scan_text(const char *, size_t, char *);
const char *trellis_scan_set(const char *, const char *, int, size_t, char *);
int trellis_scan_ended(const char *, int);

typedef int comparator(const void *, const void *);
void model_qsort(void *, size_t, size_t, comparator *);
void *model_bsearch(const void *, const void *, size_t, size_t, comparator *);
void *trellis_call_malloc(size_t), *trellis_call_calloc(size_t, size_t);
void *trellis_call_memset(void *, int, size_t), trellis_call_free(void *);
void *trellis_call_memcpy(void *, const void *, size_t);
void *trellis_call_memmove(void *, const void *, size_t);

static int sign(int x) { return (x > 0) - (x < 0); }

/* A copy in memory of exactly its size, so that the sanitizer sees every step beyond it. */
static char *exactly(const char *s) {
  char *copy = malloc(strlen(s) + 1);
  return strcpy(copy, s);
}

/* A string of this number over a few characters; 0 when there are no more. */
static int nth(int n, const char *alphabet, int longest, char *out) {
  int letters = (int)strlen(alphabet), length = 0, count = 1;
  while (n >= count) {
    n -= count;
    count *= letters;
    if (++length > longest) return 0;
  }
  for (int i = 0; i < length; i++, n /= letters) out[i] = alphabet[n % letters];
  out[length] = 0;
  return 1;
}

static void two_strings(const char *a, const char *b, int n) {
  char x[32], y[32];
  char *rest_x = 0, *rest_y = 0;
  A = a, B = b, N = n;
  CHECK(sign(model_strcmp(a, b)) == sign(strcmp(a, b)));
  CHECK(sign(model_strcoll(a, b)) == sign(strcmp(a, b)));
  CHECK(sign(model_strncmp(a, b, n)) == sign(strncmp(a, b, n)));
  CHECK(sign(model_strcasecmp(a, b)) == sign(strcasecmp(a, b)));
  CHECK(sign(model_strncasecmp(a, b, n)) == sign(strncasecmp(a, b, n)));
  CHECK(model_strstr(a, b) == strstr(a, b));
  CHECK(model_strspn(a, b) == strspn(a, b) && model_strcspn(a, b) == strcspn(a, b));
  CHECK(model_strpbrk(a, b) == strpbrk(a, b));
  memset(x, '#', sizeof x), memset(y, '#', sizeof y);
  CHECK(model_strcpy(x, a) == x && strcpy(y, a) == y && !memcmp(x, y, sizeof x));
  CHECK(model_strcat(x, b) == x && strcat(y, b) == y && !memcmp(x, y, sizeof x));
  CHECK(model_strncat(x, b, n) == x && strncat(y, b, n) == y && !memcmp(x, y, sizeof x));
  CHECK(model_strncpy(x, b, n) == x && strncpy(y, b, n) == y && !memcmp(x, y, sizeof x));
  CHECK(model_stpcpy(x, b) - x == stpcpy(y, b) - y && !memcmp(x, y, sizeof x));
  if (n <= (int)strlen(a) && n <= (int)strlen(b))
    CHECK(sign(model_memcmp(a, b, n)) == sign(memcmp(a, b, n)));
  if (!*b) return;
  strcpy(x, a), strcpy(y, a);
  for (char *p = x, *q = y;; p = q = 0) {
    char *s = model_strtok(p, b), *t = strtok(q, b);
    CHECK(s ? t && s - x == t - y : !t);
    CHECK(!memcmp(x, y, strlen(a)));
    if (!s) break;
  }
  strcpy(x, a), strcpy(y, a);
  for (char *p = x, *q = y;; p = q = 0) {
    char *s = model_strtok_r(p, b, &rest_x), *t = strtok_r(q, b, &rest_y);
    CHECK(s ? t && s - x == t - y : !t);
    if (!s) break;
  }
}

static void one_string(const char *a, int n) {
  char *copy;
  A = a, B = "", N = n;
  CHECK(model_strlen(a) == strlen(a) && model_strnlen(a, n) == strnlen(a, n));
  CHECK(trellis_length(a) == strlen(a) && trellis_length_up_to(a, n) == strnlen(a, n));
  for (int c = 0; c < 128; c++) {
    CHECK(model_strchr(a, c) == strchr(a, c) && model_strrchr(a, c) == strrchr(a, c));
    CHECK(model_memchr(a, c, strlen(a)) == memchr(a, c, strlen(a)));
  }
  copy = model_strdup(a);
  CHECK(!strcmp(copy, a));
  free(copy);
  copy = model_strndup(a, n);
  CHECK(strlen(copy) == strnlen(a, n) && !strncmp(copy, a, n));
  free(copy);
}

static void number(const char *a) {
  A = a, B = "";
  for (int base = 0; base <= 36; base++) {
    char *p, *q;
    if (base == 1) continue;
    N = base;
    CHECK(model_strtol(a, &p, base) == strtol(a, &q, base) && p == q);
    CHECK(model_strtoll(a, &p, base) == strtoll(a, &q, base) && p == q);
    CHECK(model_strtoul(a, &p, base) == strtoul(a, &q, base) && p == q);
    CHECK(model_strtoull(a, &p, base) == strtoull(a, &q, base) && p == q);
    CHECK(model_strtol(a, 0, base) == strtol(a, 0, base));
  }
  CHECK(model_atol(a) == atol(a) && model_atoll(a) == atoll(a));
  if (atol(a) == (int)atol(a)) CHECK(model_atoi(a) == atoi(a));
}

static void formats(size_t room) {
  static const long values[] = { 0, 7, -1, 10, -123, 2147483647L, -2147483647L - 1,
                                 9223372036854775807L, -9223372036854775807L - 1 };
  char x[64], y[64];
  N = (int)room;
#define COMPARE(put, ...) do { \
    size_t at; \
    memset(x, '#', sizeof x), memset(y, '#', sizeof y); \
    at = trellis_put_text(x, room, 0, "<", -1, 0, 0); \
    at = put; \
    at = trellis_put_text(x, room, at, ">", -1, 0, 0); \
    trellis_put_end(x, room, at); \
    CHECK((int)at == snprintf(y, room, __VA_ARGS__) && !memcmp(x, y, sizeof x)); \
  } while (0)
  for (int i = 0; i < 9; i++) {
    long v = values[i];
    unsigned long m = trellis_magnitude(v), u = (unsigned long)v;
    COMPARE(trellis_put_number(x, room, at, m, trellis_sign(v, 0), 10, 'a', 0, 0, 0), "<%ld>", v);
    COMPARE(trellis_put_number(x, room, at, m, trellis_sign(v, '+'), 10, 'a', 0, 0, 0), "<%+ld>", v);
    COMPARE(trellis_put_number(x, room, at, m, trellis_sign(v, ' '), 10, 'a', 6, 0, 0), "<% 6ld>", v);
    COMPARE(trellis_put_number(x, room, at, m, trellis_sign(v, 0), 10, 'a', 6, 1, 0), "<%-6ld>", v);
    COMPARE(trellis_put_number(x, room, at, m, trellis_sign(v, 0), 10, 'a', 6, 0, 1), "<%06ld>", v);
    COMPARE(trellis_put_number(x, room, at, u, 0, 10, 'a', 5, 0, 0), "<%5lu>", u);
    COMPARE(trellis_put_number(x, room, at, u, 0, 16, 'a', 0, 0, 0), "<%lx>", u);
    COMPARE(trellis_put_number(x, room, at, u, 0, 16, 'A', 20, 0, 1), "<%020lX>", u);
    COMPARE(trellis_put_number(x, room, at, u, 0, 8, 'a', 0, 0, 0), "<%lo>", u);
  }
  COMPARE(trellis_put_text(x, room, at, "text", -1, 0, 0), "<%s>", "text");
  COMPARE(trellis_put_text(x, room, at, "text", -1, 7, 0), "<%7s>", "text");
  COMPARE(trellis_put_text(x, room, at, "text", -1, 7, 1), "<%-7s>", "text");
  COMPARE(trellis_put_text(x, room, at, "text", 2, 5, 1), "<%-5.2s>", "text");
  COMPARE(trellis_put_character(x, room, at, 'c', 0, 0), "<%c>", 'c');
  COMPARE(trellis_put_character(x, room, at, 'c', 3, 0), "<%3c>", 'c');
  COMPARE(trellis_put_character(x, room, at, 'c', 3, 1), "<%-3c>", 'c');
}

/* One conversion, as the front end has it: the result, and how much was read. */
static void scanned(const char *a) {
  char x[8], y[8];
  const char *end;
  int n, result;
  long number;
  unsigned long value;
  A = a, B = "";
#define READ(skips, call, format, ...) do { \
    memset(x, '#', sizeof x), memset(y, '#', sizeof y); \
    n = 0, number = 0, value = 0; \
    result = sscanf(a, format "%n", __VA_ARGS__, &n); \
    end = call; \
    CHECK(end ? result == 1 && end == a + n : result == -trellis_scan_ended(a, skips)); \
    CHECK(!memcmp(x, y, sizeof x)); \
  } while (0)
  for (int width = 1; width < 4; width++) {
    static const char *const decimal[] = { "", "%1ld%n", "%2ld%n", "%3ld%n" };
    static const char *const hex[] = { "", "%1lx%n", "%2lx%n", "%3lx%n" };
    n = 0;
    result = sscanf(a, decimal[width], &number, &n);
    end = trellis_scan_number(a, 10, width, &value);
    CHECK(end ? result == 1 && end == a + n && (long)value == number : result <= 0);
    n = 0;
    result = sscanf(a, hex[width], &number, &n);
    end = trellis_scan_number(a, 16, width, &value);
    CHECK(end ? result == 1 && end == a + n && (long)value == number : result <= 0);
  }
  READ(1, trellis_scan_number(a, 10, -1, &value), "%ld", &number);
  CHECK((long)value == number);
  READ(1, trellis_scan_number(a, 0, -1, &value), "%li", &number);
  CHECK((long)value == number);
  READ(1, trellis_scan_number(a, 16, -1, &value), "%lx", &number);
  CHECK((long)value == number);
  READ(1, trellis_scan_number(a, 8, -1, &value), "%lo", &number);
  CHECK((long)value == number);
  READ(0, trellis_scan_character(a, x), "%c", y);
  READ(1, trellis_scan_text(a, -1, x), "%s", y);
  READ(1, trellis_scan_text(a, 2, x), "%2s", y);
  READ(0, trellis_scan_set(a, "07", 0, -1, x), "%[07]", y);
  READ(0, trellis_scan_set(a, "x-", 1, -1, x), "%[^x-]", y);
  READ(0, trellis_scan_set(a, "x", 1, 2, x), "%2[^x]", y);
  n = -1, sscanf(a, " %n", &n);
  CHECK(trellis_scan_space(a) == a + n);
  n = -1, sscanf(a, "x%n", &n);
  CHECK(trellis_scan_literal(a, 'x') == (n < 0 ? 0 : a + n));
}

/* Only characters and numbers of one size: what compares equal is equal. */
static int by_character(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

struct entry {
  short key;
  char text[6];
};

static int by_key(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return x->key < y->key ? -7 : x->key > y->key;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void sorted(const char *a) {
  size_t n = strlen(a);
  struct entry x[8], y[8], key;
  const char *s[8], *t[8];
  char *left = memcpy(malloc(n + 1), a, n + 1), *right = exactly(a);
  A = a;
  model_qsort(left, n, 1, by_character), qsort(right, n, 1, by_character);
  CHECK(!strcmp(left, right));
  for (const char *k = "aB "; *k; k++) {
    char *there = model_bsearch(k, left, n, 1, by_character);
    CHECK(!there == !bsearch(k, right, n, 1, by_character) && (!there || *there == *k));
  }
  free(left), free(right);
  for (size_t i = 0; i < n; i++) {
    memset(&x[i], 0, sizeof x[i]);
    x[i].key = (short)(a[i] * 300), x[i].text[0] = a[i];
    y[i] = x[i];
    s[i] = t[i] = a + i;
  }
  model_qsort(x, n, sizeof *x, by_key), qsort(y, n, sizeof *y, by_key);
  CHECK(!memcmp(x, y, n * sizeof *x));
  key.key = (short)('B' * 300);
  CHECK(!model_bsearch(&key, x, n, sizeof *x, by_key) == !bsearch(&key, y, n, sizeof *y, by_key));
  model_qsort(s, n, sizeof *s, by_text), qsort(t, n, sizeof *t, by_text);
  CHECK(!memcmp(s, t, n * sizeof *s));
}

/* The same format and arguments for the model and the library, in memory of exactly the room. */
static void listed(size_t room, const char *format, ...) {
  char *x = memset(malloc(room + 1), '!', room + 1), *y = memset(malloc(room + 1), '!', room + 1);
  va_list a, b;
  A = format, N = (int)room;
  va_start(a, format);
  va_copy(b, a);
  CHECK((int)trellis_format(x, room, format, a) == vsnprintf(y, room, format, b));
  CHECK(!memcmp(x, y, room + 1));
  va_end(a), va_end(b);
  free(x), free(y);
}

static void lists(size_t room) {
  listed(room, "");
  listed(room, "100%% %s|%5s|%-5s|%.2s|%*s|%.*s", "ab", "cd", "ef", "ghi", -4, "j", 1, "kl");
  listed(room, "%d %5d %-5d|%05d %+d % d %hd %hhd", -7, 42, 42, -42, 1, 2, 70000, 300);
  listed(room, "%ld %lld %zd %i", -9223372036854775807L, 5LL, (size_t)3, 4);
  listed(room, "%u %lu %x %X %o %08x %hu %hhu", 4000000000u, ~0UL, 255, 255, 8, 48879, 65537, 257);
  listed(room, "%c%3c%-3c.", 'a', 'b', 'c');
  CHECK(trellis_call_printf("") == 0);
}

/* What stands for functions that are called through pointers calls them. */
static void stand_ins(void) {
  char *x = trellis_call_malloc(4), *y = trellis_call_calloc(2, 2);
  CHECK(y[0] == 0 && y[3] == 0);
  CHECK(trellis_call_memset(x, 'x', 4) == x && x[3] == 'x');
  CHECK(trellis_call_memcpy(y, x, 3) == y && y[2] == 'x' && y[3] == 0);
  y[0] = 'y';
  CHECK(trellis_call_memmove(y + 1, y, 3) == y + 1 && y[1] == 'y' && y[3] == 'x');
  trellis_call_free(x), trellis_call_free(y), trellis_call_free(0);
}

int main(void) {
  char a[8], b[8];
  stand_ins();
  for (int i = 0; nth(i, "aB\xe9 ", 3, a); i++) {
    char *left = exactly(a);
    sorted(left);
    for (int n = 0; n < 5; n++) one_string(left, n);
    for (int j = 0; nth(j, "abB ", 3, b); j++) {
      char *right = exactly(b);
      for (int n = 0; n < 5; n++) two_strings(left, right, n);
      free(right);
    }
    free(left);
  }
  for (int i = 0; nth(i, "0x7-+ f", 5, a); i++) {
    char *text = exactly(a);
    number(text);
    scanned(text);
    free(text);
  }
  number("9223372036854775807"), number("9223372036854775808"), number("-9223372036854775808");
  number("-9223372036854775809"), number("18446744073709551615"), number("18446744073709551616");
  number("-18446744073709551615"), number("99999999999999999999999"), number("\t\n 12z");
#define SAME(f) CHECK(!model_##f(N) == !f(N));
  for (N = -1; N < 256; N++) {
    SAME(isupper) SAME(islower) SAME(isalpha) SAME(isdigit) SAME(isxdigit) SAME(isalnum)
    SAME(isspace) SAME(isblank) SAME(iscntrl) SAME(isprint) SAME(isgraph) SAME(ispunct)
    CHECK(model_tolower(N) == tolower(N) && model_toupper(N) == toupper(N));
  }
  for (N = -300; N < 300; N++) {
    CHECK(model_abs(N) == abs(N) && model_labs(N) == labs(N) && model_llabs(N) == llabs(N));
  }
  CHECK(model_abs(-2147483647) == 2147483647);
  for (int from = 1; from < 6; from++)
    for (int to = 1; to < 6; to++) {
      char *x = memcpy(malloc(from), "abcdefg", from);
      x = from % 2 ? model_realloc(x, to) : model_reallocarray(x, 1, to);
      CHECK(!memcmp(x, "abcdefg", from < to ? from : to));
      x[to - 1] = 'z';
      free(x);
    }
  free(model_realloc(0, 3));
  CHECK(!model_reallocarray(0, -1, 2));
  for (size_t room = 0; room < 40; room++) formats(room), lists(room);
  return 0;
}
