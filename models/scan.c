/* What `sscanf` reads. Trellis reads the format and calls one of these for each of its parts: it
   returns the place behind what was read, or null where the text does not fit. */

typedef unsigned long size_t;

static int model_is_space(char c) {
  return c == ' ' || (c >= 9 && c <= 13);
}

static int model_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

/* Blanks of the format: any number of them. */
const char *trellis_scan_space(const char *at) {
  while (model_is_space(*at)) at++;
  return at;
}

/* Any other character of the format. */
const char *trellis_scan_literal(const char *at, char c) {
  return *at == c ? at + 1 : 0;
}

/* `%d`, `%u`, `%x`, …: at most so many characters, blanks before them aside. A number that does not
   fit is undefined. */
const char *trellis_scan_number(const char *at, int base, size_t width,
                                unsigned long long *value) {
  unsigned long long n = 0;
  int negative = 0;
  int digits = 0;
  int prefix = 0;
  while (model_is_space(*at)) at++;
  if (width > 0 && (*at == '-' || *at == '+')) {
    negative = *at == '-';
    at++;
    width--;
  }
  if ((base == 0 || base == 16) && width > 0 && *at == '0') {
    digits = 1;
    at++;
    width--;
    if (width > 0 && (*at == 'x' || *at == 'X')) {
      digits = 0;
      prefix = 1;
      at++;
      width--;
      base = 16;
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  while (width > 0) {
    int digit = model_digit(*at);
    if (digit >= base) break;
    digits = 1;
    if (n > (9223372036854775807ULL - (unsigned)digit) / (unsigned)base) {
      *value = __VERIFIER_nondet_ulonglong();
      return at;
    }
    n = n * (unsigned)base + (unsigned)digit;
    at++;
    width--;
  }
  /* `0x` alone is no number, but libraries take it for 0. */
  if (!digits && (!prefix || __VERIFIER_nondet_bool())) return 0;
  *value = negative ? 0UL - n : n;
  return at;
}

/* `%c` */
const char *trellis_scan_character(const char *at, char *to) {
  if (!*at) return 0;
  if (to) *to = *at;
  return at + 1;
}

/* `%s`: at least one character that is no blank, and a zero. */
const char *trellis_scan_text(const char *at, size_t width, char *to) {
  size_t n = 0;
  while (model_is_space(*at)) at++;
  if (!*at) return 0;
  while (n < width && at[n] && !model_is_space(at[n])) {
    if (to) to[n] = at[n];
    n++;
  }
  if (to) to[n] = 0;
  return at + n;
}

/* `%[…]` or, `without`, `%[^…]`: at least one character that is (not) among these, and a zero. */
const char *trellis_scan_set(const char *at, const char *set, int without, size_t width, char *to) {
  size_t n = 0;
  for (; n < width && at[n]; n++) {
    int among = 0;
    for (const char *s = set; *s; s++)
      if (*s == at[n]) among = 1;
    if (among == without) break;
    if (to) to[n] = at[n];
  }
  if (n == 0) return 0;
  if (to) to[n] = 0;
  return at + n;
}

/* Whether there is nothing left to read, blanks aside where they are skipped. */
int trellis_scan_ended(const char *at, int skips) {
  while (skips && model_is_space(*at)) at++;
  return *at == 0;
}
