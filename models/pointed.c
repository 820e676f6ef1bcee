/* Functions that are known by name, for calls through pointers to them. */

typedef unsigned long size_t;
size_t trellis_format(char *to, size_t room, const char *format, __builtin_va_list ap);

void *trellis_call_malloc(size_t size) {
  return malloc(size);
}

void *trellis_call_calloc(size_t count, size_t size) {
  return calloc(count, size);
}

void trellis_call_free(void *p) {
  free(p);
}

void *trellis_call_memset(void *p, int byte, size_t size) {
  return memset(p, byte, size);
}

void *trellis_call_memcpy(void *to, const void *from, size_t size) {
  return memcpy(to, from, size);
}

void *trellis_call_memmove(void *to, const void *from, size_t size) {
  return memmove(to, from, size);
}

void trellis_call_exit(int status) {
  exit(status);
}

void trellis_call_abort(void) {
  abort();
}

int trellis_call_puts(const char *text) {
  return puts(text);
}

int trellis_call_putchar(int c) {
  return putchar(c);
}

int trellis_call_getchar(void) {
  return getchar();
}

int trellis_call_rand(void) {
  return rand();
}

int trellis_call_printf(const char *format, ...) {
  size_t count;
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  count = trellis_format(0, 0, format, ap);
  __builtin_va_end(ap);
  return __VERIFIER_nondet_bool() ? -1 : (int)count;
}
