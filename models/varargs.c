/* What `vprintf`, `vsnprintf` and their kin read and write: the format is known only when they are
   called. */

typedef unsigned long size_t;
typedef __builtin_va_list va_list;

size_t trellis_put_text(char *, size_t, size_t, const char *, size_t, size_t, int);
size_t trellis_put_character(char *, size_t, size_t, int, size_t, int);
size_t trellis_put_number(char *, size_t, size_t, unsigned long, char, int, char, size_t, int, int);
char trellis_sign(long, char);
unsigned long trellis_magnitude(long);
void trellis_put_end(char *, size_t, size_t);

struct model_directive {
  int left;
  int zeros;
  char plus;
  int bits;
  size_t width;
  size_t most;
};

/* A conversion that nobody follows: no address is like this one. */
static void model_unknown(void) {
  unsigned long nowhere = 1;
  *(char *)nowhere = 0;
}

/* Flags, width, precision and length; what follows them. */
static const char *model_read(const char *f, struct model_directive *d, va_list ap) {
  d->left = 0;
  d->zeros = 0;
  d->plus = 0;
  d->bits = 32;
  d->width = 0;
  d->most = 18446744073709551615UL;
  for (; *f == '-' || *f == '0' || *f == '+' || *f == ' ' || *f == '#'; f++) {
    if (*f == '-') d->left = 1;
    if (*f == '0') d->zeros = 1;
    if (*f == '+' || (*f == ' ' && !d->plus)) d->plus = *f;
    if (*f == '#') model_unknown();
  }
  if (*f == '*') {
    int width = __builtin_va_arg(ap, int);
    if (width < 0) d->left = 1;
    d->width = (size_t)(width < 0 ? -width : width);
    f++;
  }
  for (; *f >= '0' && *f <= '9'; f++) d->width = d->width * 10 + (size_t)(*f - '0');
  if (*f == '.') {
    f++;
    d->most = 0;
    if (*f == '*') {
      int most = __builtin_va_arg(ap, int);
      d->most = most < 0 ? 18446744073709551615UL : (size_t)most;
      f++;
    }
    for (; *f >= '0' && *f <= '9'; f++) d->most = d->most * 10 + (size_t)(*f - '0');
  }
  for (; *f == 'h' || *f == 'l' || *f == 'z' || *f == 'j' || *f == 't'; f++) {
    if (*f != 'h')
      d->bits = 64;
    else
      d->bits = d->bits == 16 ? 8 : 16;
  }
  return f;
}

static long model_signed_argument(int bits, va_list ap) {
  int value;
  if (bits == 64) return __builtin_va_arg(ap, long);
  value = __builtin_va_arg(ap, int);
  if (bits == 16) return (short)value;
  if (bits == 8) return (signed char)value;
  return value;
}

static unsigned long model_unsigned_argument(int bits, va_list ap) {
  unsigned value;
  if (bits == 64) return __builtin_va_arg(ap, unsigned long);
  value = __builtin_va_arg(ap, unsigned);
  if (bits == 16) return (unsigned short)value;
  if (bits == 8) return (unsigned char)value;
  return value;
}

/* Writes as far as there is room, and returns how many characters there are. */
size_t trellis_format(char *to, size_t room, const char *f, va_list ap) {
  struct model_directive d;
  size_t at = 0;
  while (*f) {
    char c = *f;
    f++;
    if (c != '%' || *f == '%') {
      if (c == '%') f++;
      if (at + 1 < room) to[at] = c;
      at++;
      continue;
    }
    f = model_read(f, &d, ap);
    c = *f;
    if (c == 's') {
      at = trellis_put_text(to, room, at, __builtin_va_arg(ap, char *), d.most, d.width, d.left);
    } else if (c == 'c') {
      at = trellis_put_character(to, room, at, __builtin_va_arg(ap, int), d.width, d.left);
    } else if (c == 'd' || c == 'i') {
      long value = model_signed_argument(d.bits, ap);
      if (d.most + 1 != 0 && room > 0) model_unknown();
      at = trellis_put_number(to, room, at, trellis_magnitude(value), trellis_sign(value, d.plus),
                              10, 'a', d.width, d.left, d.zeros && !d.left);
    } else if (c == 'u' || c == 'x' || c == 'X' || c == 'o') {
      unsigned long value = model_unsigned_argument(d.bits, ap);
      int base = c == 'u' ? 10 : c == 'o' ? 8 : 16;
      if (d.most + 1 != 0 && room > 0) model_unknown();
      at = trellis_put_number(to, room, at, value, 0, base, c == 'X' ? 'A' : 'a', d.width, d.left,
                              d.zeros && !d.left);
    } else if (c == 'p') {
      (void)__builtin_va_arg(ap, void *);
      if (room > 0) model_unknown();
    } else if (c == 'f' || c == 'F' || c == 'g' || c == 'G' || c == 'e' || c == 'E') {
      (void)__builtin_va_arg(ap, double);
      if (room > 0) model_unknown();
    } else {
      model_unknown();
    }
    f++;
  }
  trellis_put_end(to, room, at);
  return at;
}
