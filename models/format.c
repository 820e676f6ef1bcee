/* What `sprintf` and `snprintf` write. Trellis reads the format and calls one of these for each of
   its parts: it puts characters at a position, as far as there is room for them and a zero behind
   them, and returns the position behind them. */

typedef unsigned long size_t;

static void model_put(char *to, size_t room, size_t at, char c) {
  if (at + 1 < room) to[at] = c;
}

static size_t model_fill(char *to, size_t room, size_t at, size_t n, size_t width, char c) {
  for (; n < width; n++) {
    model_put(to, room, at, c);
    at++;
  }
  return at;
}

/* `%s`, at most so many characters of it. What is written must not be what is read. */
size_t trellis_put_text(char *to, size_t room, size_t at, const char *text, size_t most,
                        size_t width, int left) {
  size_t n = 0;
  size_t fits = 0;
  while (n < most && text[n]) n++;
  if (!left) at = model_fill(to, room, at, n, width, ' ');
  if (at + 1 < room) fits = room - 1 - at < n ? room - 1 - at : n;
  if (fits > 0) {
    __VERIFIER_assert(text != to);
    memcpy(to + at, text, fits);
  }
  at += n;
  if (left) at = model_fill(to, room, at, n, width, ' ');
  return at;
}

/* `%c` */
size_t trellis_put_character(char *to, size_t room, size_t at, int c, size_t width, int left) {
  if (!left) at = model_fill(to, room, at, 1, width, ' ');
  model_put(to, room, at, (char)c);
  at++;
  if (left) at = model_fill(to, room, at, 1, width, ' ');
  return at;
}

/* `%d`, `%u`, `%x`, … of a number without its sign, which is a character or 0. */
size_t trellis_put_number(char *to, size_t room, size_t at, unsigned long long value, char sign,
                          int base, char ten, size_t width, int left, int zeros) {
  char digits[24];
  size_t n = 0;
  size_t all;
  do {
    int digit = (int)(value % (unsigned)base);
    digits[n] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
    n++;
    value = value / (unsigned)base;
  } while (value > 0);
  all = n + (sign != 0);
  if (!left && !zeros) at = model_fill(to, room, at, all, width, ' ');
  if (sign) {
    model_put(to, room, at, sign);
    at++;
  }
  if (!left && zeros) at = model_fill(to, room, at, all, width, '0');
  while (n > 0) {
    n--;
    model_put(to, room, at, digits[n]);
    at++;
  }
  if (left) at = model_fill(to, room, at, all, width, ' ');
  return at;
}

/* The sign that a number is written with: `plus` says what stands before one that is not negative. */
char trellis_sign(long long value, char plus) {
  return value < 0 ? '-' : plus;
}

unsigned long long trellis_magnitude(long long value) {
  return value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
}

/* The zero, if there is any room. */
void trellis_put_end(char *to, size_t room, size_t at) {
  if (room > 0) to[at < room ? at : room - 1] = 0;
}
