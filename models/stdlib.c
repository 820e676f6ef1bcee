/* <stdlib.h>: numbers, memory that grows, sorting and searching, the environment. */

typedef unsigned long size_t;

/* The least number has no positive one, so its absolute value is undefined. */
/*@ requires x > -2147483647 - 1; */
int abs(int x) {
  return x < 0 ? -x : x;
}

/*@ requires x > -9223372036854775807 - 1; */
long labs(long x) {
  return x < 0 ? -x : x;
}

/*@ requires x > -9223372036854775807 - 1; */
long long llabs(long long x) {
  return x < 0 ? -x : x;
}

static int model_is_space(char c) {
  return c == ' ' || (c >= 9 && c <= 13);
}

static int model_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

/* The number at a place, as far as it goes; `overflow` says that it is none of 64 bits. */
static unsigned long long model_digits(const char *s, int base, size_t *length, int *overflow) {
  unsigned long long value = 0;
  const char *at = s;
  *overflow = 0;
  for (;; at++) {
    int digit = model_digit(*at);
    if (digit >= base) break;
    if (value > (18446744073709551615ULL - (unsigned)digit) / (unsigned)base)
      *overflow = 1;
    else
      value = value * (unsigned)base + (unsigned)digit;
  }
  *length = (size_t)(at - s);
  return value;
}

/* The sign, the digits, and where they end; nothing is read if there are no digits. */
static unsigned long long model_number(const char *s, char **end, int base, int *negative,
                                       int *overflow) {
  const char *at = s;
  size_t length;
  unsigned long long value;
  while (model_is_space(*at)) at++;
  *negative = *at == '-';
  if (*at == '-' || *at == '+') at++;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') &&
      model_digit(at[2]) < 16) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = at[0] == '0' ? 8 : 10;
  }
  value = model_digits(at, base, &length, overflow);
  if (end) *end = (char *)(length > 0 ? at + length : s);
  return value;
}

static long long model_signed(const char *s, char **end, int base, long long largest) {
  int negative, overflow;
  unsigned long long value = model_number(s, end, base, &negative, &overflow);
  unsigned long long most = (unsigned long long)largest;
  if (overflow || value > most) return negative ? -largest - 1 : largest;
  return negative ? -(long long)value : (long long)value;
}

static unsigned long long model_unsigned(const char *s, char **end, int base,
                                         unsigned long long largest) {
  int negative, overflow;
  unsigned long long value = model_number(s, end, base, &negative, &overflow);
  if (overflow || value > largest) return largest;
  return negative ? 0ULL - value : value;
}

/*@ requires base == 0 || (2 <= base && base <= 36); */
long strtol(const char *s, char **end, int base) {
  return (long)model_signed(s, end, base, (long)(~0UL >> 1));
}

/*@ requires base == 0 || (2 <= base && base <= 36); */
long long strtoll(const char *s, char **end, int base) {
  return model_signed(s, end, base, 9223372036854775807LL);
}

/*@ requires base == 0 || (2 <= base && base <= 36); */
unsigned long strtoul(const char *s, char **end, int base) {
  return (unsigned long)model_unsigned(s, end, base, ~0UL);
}

/*@ requires base == 0 || (2 <= base && base <= 36); */
unsigned long long strtoull(const char *s, char **end, int base) {
  return model_unsigned(s, end, base, ~0ULL);
}

/* What does not fit is undefined; libraries return some number. */
int atoi(const char *s) {
  long long value = model_signed(s, 0, 10, 9223372036854775807LL);
  if (value < -2147483648LL || value > 2147483647LL) return __VERIFIER_nondet_int();
  return (int)value;
}

long atol(const char *s) {
  return (long)model_signed(s, 0, 10, (long)(~0UL >> 1));
}

long long atoll(const char *s) {
  return model_signed(s, 0, 10, 9223372036854775807LL);
}

/* The memory always moves: nobody may know that it did not. To nothing, some libraries free it, and
   some have memory of no size. */
static void *model_grow(void *memory, size_t size) {
  void *grown;
  size_t old;
  if (!memory) return malloc(size);
  if (size == 0 && __VERIFIER_nondet_bool()) {
    free(memory);
    return 0;
  }
  grown = malloc(size);
  if (!grown) return 0;
  old = __trellis_object_size(memory);
  if (old > 0 && size > 0) memcpy(grown, memory, old < size ? old : size);
  free(memory);
  return grown;
}

void *realloc(void *memory, size_t size) {
  return model_grow(memory, size);
}

void *reallocarray(void *memory, size_t count, size_t size) {
  if (size > 0 && count > 18446744073709551615UL / size) return 0;
  return model_grow(memory, count * size);
}

static void model_swap(void *a, void *b, void *space, size_t size) {
  memcpy(space, a, size);
  memcpy(a, b, size);
  memcpy(b, space, size);
}

/* How elements that compare equal are ordered is left open, so they are exchanged or not. */
/*@ requires base != NULL; */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *all = base;
  void *space;
  if (count < 2 || size == 0) return;
  space = malloc(size);
  __VERIFIER_assume(space != 0);
  for (size_t i = 1; i < count; i++) {
    for (size_t j = i; j > 0; j--) {
      char *a = all + (j - 1) * size, *b = all + j * size;
      int order = compare(a, b);
      if (order < 0 || (order == 0 && __VERIFIER_nondet_bool())) break;
      model_swap(a, b, space, size);
    }
  }
  free(space);
}

/* Which of several elements that compare equal is found is left open. */
/*@ requires key != NULL && base != NULL; */
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const char *all = base;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(key, all + middle * size);
    if (order == 0) {
      while (middle > low && compare(key, all + (middle - 1) * size) == 0 &&
             __VERIFIER_nondet_bool())
        middle--;
      while (middle + 1 < high && compare(key, all + (middle + 1) * size) == 0 &&
             __VERIFIER_nondet_bool())
        middle++;
      return (void *)(all + middle * size);
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

/* A string of any length, which the library keeps: it is a part of larger memory, so that nobody
   frees it. */
struct model_text {
  struct model_text *next;
  char *value;
};

static struct model_text *model_texts;

static char *model_any_text(void) {
  size_t n = __VERIFIER_nondet_ulong();
  struct model_text *text;
  char *value;
  if (n < 2) return 0;
  value = malloc(n);
  if (!value) return 0;
  value[0] = 0;
  for (size_t i = 1; i + 1 < n; i++) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(c != 0);
    value[i] = c;
  }
  value[n - 1] = 0;
  text = malloc(sizeof *text);
  if (!text) {
    free(value);
    return 0;
  }
  text->value = value;
  text->next = model_texts;
  model_texts = text;
  return value + 1;
}

char *getenv(const char *name) {
  while (*name) name++;
  return model_any_text();
}

char *strerror(int error) {
  char *text = model_any_text();
  (void)error;
  __VERIFIER_assume(text != 0);
  return text;
}

/* Every function of the library may leave any number there. */
static int model_error;

int *__errno_location(void) {
  model_error = __VERIFIER_nondet_int();
  return &model_error;
}

/* What the command does to the world outside, nobody sees here. */
int system(const char *command) {
  if (command)
    while (*command) command++;
  return __VERIFIER_nondet_int();
}
