/* <string.h>: strings are characters up to a zero. */

typedef unsigned long size_t;

/* The end of a string is read, so one without an end is read beyond its object. */
static size_t model_length(const char *s) {
  const char *end = s;
  while (*end) end++;
  return (size_t)(end - s);
}

static size_t model_length_up_to(const char *s, size_t most) {
  const char *end = s;
  while ((size_t)(end - s) < most && *end) end++;
  return (size_t)(end - s);
}

static int model_lower(int c) {
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* -1, 0 or 1. C promises the sign alone: where the program looks at more than that, Trellis takes
   any number of this sign. */
static int model_sign(int order) {
  return order < 0 ? -1 : order > 0;
}

/* For the front end, which asks whether a string fits where it goes. */
size_t trellis_length(const char *s) {
  return model_length(s);
}

size_t trellis_length_up_to(const char *s, size_t most) {
  return model_length_up_to(s, most);
}

size_t strlen(const char *s) {
  return model_length(s);
}

size_t strnlen(const char *s, size_t most) {
  return model_length_up_to(s, most);
}

char *strcpy(char *to, const char *from) {
  memcpy(to, from, model_length(from) + 1);
  return to;
}

char *stpcpy(char *to, const char *from) {
  size_t n = model_length(from);
  memcpy(to, from, n + 1);
  return to + n;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t length = model_length_up_to(from, n);
  if (length > 0) memcpy(to, from, length);
  if (length < n) memset(to + length, 0, n - length);
  return to;
}

char *strcat(char *to, const char *from) {
  memcpy(to + model_length(to), from, model_length(from) + 1);
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  size_t end = model_length(to);
  size_t length = model_length_up_to(from, n);
  if (length > 0) memcpy(to + end, from, length);
  to[end + length] = 0;
  return to;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return model_sign((unsigned char)*a - (unsigned char)*b);
}

int strcoll(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return model_sign((unsigned char)*a - (unsigned char)*b);
}

int strncmp(const char *a, const char *b, size_t n) {
  for (; n > 0 && *a && *a == *b; n--) {
    a++;
    b++;
  }
  if (n == 0) return 0;
  return model_sign((unsigned char)*a - (unsigned char)*b);
}

int strcasecmp(const char *a, const char *b) {
  while (*a && model_lower((unsigned char)*a) == model_lower((unsigned char)*b)) {
    a++;
    b++;
  }
  return model_sign(model_lower((unsigned char)*a) - model_lower((unsigned char)*b));
}

int strncasecmp(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n && a[i] && model_lower((unsigned char)a[i]) == model_lower((unsigned char)b[i])) i++;
  if (i == n) return 0;
  return model_sign(model_lower((unsigned char)a[i]) - model_lower((unsigned char)b[i]));
}

char *strdup(const char *s) {
  size_t n = model_length(s);
  char *copy = malloc(n + 1);
  if (!copy) return 0;
  memcpy(copy, s, n + 1);
  return copy;
}

char *strndup(const char *s, size_t most) {
  size_t n = model_length_up_to(s, most);
  char *copy = malloc(n + 1);
  if (!copy) return 0;
  if (n > 0) memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

char *strchr(const char *s, int c) {
  char wanted = (char)c;
  while (*s != wanted) {
    if (!*s) return 0;
    s++;
  }
  return (char *)s;
}

char *strrchr(const char *s, int c) {
  char wanted = (char)c;
  const char *found = 0;
  for (;; s++) {
    if (*s == wanted) found = s;
    if (!*s) return (char *)found;
  }
}

char *strstr(const char *s, const char *wanted) {
  size_t n = model_length(wanted);
  for (;; s++) {
    size_t i = 0;
    while (i < n && s[i] && s[i] == wanted[i]) i++;
    if (i == n) return (char *)s;
    if (!s[i]) return 0;
  }
}

static int model_among(char c, const char *set) {
  while (*set) {
    if (*set == c) return 1;
    set++;
  }
  return 0;
}

size_t strspn(const char *s, const char *accept) {
  size_t n = 0;
  while (s[n] && model_among(s[n], accept)) n++;
  return n;
}

size_t strcspn(const char *s, const char *reject) {
  size_t n = 0;
  while (s[n] && !model_among(s[n], reject)) n++;
  return n;
}

char *strpbrk(const char *s, const char *accept) {
  for (; *s; s++)
    if (model_among(*s, accept)) return (char *)s;
  return 0;
}

static char *model_rest;

static char *model_token(char *s, const char *between, char **rest) {
  while (*s && model_among(*s, between)) s++;
  if (!*s) {
    *rest = s;
    return 0;
  }
  char *token = s;
  while (*s && !model_among(*s, between)) s++;
  if (*s) {
    *s = 0;
    s++;
  }
  *rest = s;
  return token;
}

char *strtok(char *s, const char *between) {
  char *rest;
  char *token = model_token(s ? s : model_rest, between, &rest);
  model_rest = rest;
  return token;
}

char *strtok_r(char *s, const char *between, char **rest) {
  return model_token(s ? s : *rest, between, rest);
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a;
  const unsigned char *y = b;
  size_t i = 0;
  while (i < n && x[i] == y[i]) i++;
  if (i == n) return 0;
  return model_sign(x[i] - y[i]);
}

void *memchr(const void *s, int c, size_t n) {
  const unsigned char *bytes = s;
  for (size_t i = 0; i < n; i++)
    if (bytes[i] == (unsigned char)c) return (void *)(bytes + i);
  return 0;
}
