/* <stdio.h>: streams give any bytes, and any operation may fail.
   An open stream is a part of an object that nobody looks into; that of a closed one is freed. */

typedef unsigned long size_t;

struct _IO_FILE;

struct model_stream {
  int flags;
  struct model_stream *next;
  struct model_stream *previous;
};

/* What stands before the stream keeps the program from freeing it. */
struct model_memory {
  long own;
  struct model_stream stream;
};

static struct model_stream model_input, model_output, model_errors;

struct _IO_FILE *stdin = (struct _IO_FILE *)&model_input;
struct _IO_FILE *stdout = (struct _IO_FILE *)&model_output;
struct _IO_FILE *stderr = (struct _IO_FILE *)&model_errors;

/* The library remembers open streams, so one that is not closed is not lost. */
static struct model_stream *model_streams;

static void model_read(const char *s) {
  while (*s) s++;
}

/* A stream must be open. */
static void model_use(struct _IO_FILE *stream) {
  int flags = ((struct model_stream *)stream)->flags;
  (void)flags;
}

/* A character as an unsigned one, or the end of the file. */
static int model_character(void) {
  int c = __VERIFIER_nondet_uchar();
  if (__VERIFIER_nondet_bool()) return -1;
  return c;
}

struct _IO_FILE *fopen(const char *path, const char *mode) {
  struct model_memory *memory;
  struct model_stream *stream;
  model_read(path);
  model_read(mode);
  if (__VERIFIER_nondet_bool()) return 0;
  memory = malloc(sizeof *memory);
  if (!memory) return 0;
  memory->own = 0;
  stream = &memory->stream;
  stream->flags = 0;
  stream->previous = 0;
  stream->next = model_streams;
  if (model_streams) model_streams->previous = stream;
  model_streams = stream;
  return (struct _IO_FILE *)stream;
}

int fclose(struct _IO_FILE *stream) {
  struct model_stream *closed = (struct model_stream *)stream;
  model_use(stream);
  /* Who closes a stream that was there at the start, and writes to it later, is not followed. */
  if (closed == &model_input || closed == &model_output || closed == &model_errors)
    return (int)__trellis_object_size((char *)closed + 1);
  if (closed->next) closed->next->previous = closed->previous;
  if (closed->previous)
    closed->previous->next = closed->next;
  else
    model_streams = closed->next;
  free((char *)closed - sizeof(long));
  return __VERIFIER_nondet_bool() ? -1 : 0;
}

/* The functions that begin with __trellis_ do the work on a stream that is open for sure: calls with
   stdin, stdout or stderr as written are calls of these. */
int __trellis_fgetc(void) {
  return model_character();
}

int fgetc(struct _IO_FILE *stream) {
  model_use(stream);
  return __trellis_fgetc();
}

int __trellis_getc(void) {
  return model_character();
}

int getc(struct _IO_FILE *stream) {
  model_use(stream);
  return __trellis_getc();
}

int __trellis_ungetc(int c) {
  if (c == -1 || __VERIFIER_nondet_bool()) return -1;
  return (unsigned char)c;
}

int ungetc(int c, struct _IO_FILE *stream) {
  model_use(stream);
  return __trellis_ungetc(c);
}

/* At most size - 1 bytes up to the end of a line, and a zero. */
char *__trellis_fgets(char *line, int size) {
  int n = 0;
  if (size <= 0) return 0;
  while (n < size - 1 && __VERIFIER_nondet_bool()) {
    char c = __VERIFIER_nondet_char();
    line[n] = c;
    n++;
    if (c == '\n') break;
  }
  if (size > 1 && (n == 0 || __VERIFIER_nondet_bool())) return 0;
  line[n] = 0;
  return line;
}

char *fgets(char *line, int size, struct _IO_FILE *stream) {
  model_use(stream);
  return __trellis_fgets(line, size);
}

/* The buffer is the function's own to grow. */
long __trellis_getline(char **line, size_t *size) {
  size_t n = 0;
  size_t room = __VERIFIER_nondet_ulong();
  char *old = *line;
  char *buffer;
  if (old == 0 || __VERIFIER_nondet_bool()) {
    __VERIFIER_assume(room > 0);
    buffer = malloc(room);
    if (!buffer) return -1;
    free(old);
    *line = buffer;
    *size = room;
  } else {
    buffer = old;
    room = *size;
  }
  if (room == 0) return -1;
  while (n + 1 < room && __VERIFIER_nondet_bool()) {
    char c = __VERIFIER_nondet_char();
    buffer[n] = c;
    n++;
    if (c == '\n') break;
  }
  if (n == 0 || __VERIFIER_nondet_bool()) return -1;
  buffer[n] = 0;
  return (long)n;
}

long getline(char **line, size_t *size, struct _IO_FILE *stream) {
  model_use(stream);
  return __trellis_getline(line, size);
}

size_t __trellis_fread(void *to, size_t size, size_t count) {
  unsigned char *bytes = to;
  size_t n = __VERIFIER_nondet_bool() ? count : __VERIFIER_nondet_ulong();
  if (size == 0 || count == 0) return 0;
  __VERIFIER_assume(n <= count);
  for (size_t i = 0; i < n * size; i++) bytes[i] = __VERIFIER_nondet_uchar();
  return n;
}

size_t fread(void *to, size_t size, size_t count, struct _IO_FILE *stream) {
  model_use(stream);
  return __trellis_fread(to, size, count);
}

size_t __trellis_fwrite(const void *from, size_t size, size_t count) {
  const unsigned char *bytes = from;
  size_t n = __VERIFIER_nondet_bool() ? count : __VERIFIER_nondet_ulong();
  if (size == 0 || count == 0) return 0;
  for (size_t i = 0; i < count * size; i++) {
    unsigned char read = bytes[i];
    (void)read;
  }
  __VERIFIER_assume(n <= count);
  return n;
}

size_t fwrite(const void *from, size_t size, size_t count, struct _IO_FILE *stream) {
  model_use(stream);
  return __trellis_fwrite(from, size, count);
}

int __trellis_feof(void) {
  return __VERIFIER_nondet_int();
}

int feof(struct _IO_FILE *stream) {
  model_use(stream);
  return __trellis_feof();
}

int __trellis_ferror(void) {
  return __VERIFIER_nondet_int();
}

int ferror(struct _IO_FILE *stream) {
  model_use(stream);
  return __trellis_ferror();
}

void __trellis_clearerr(void) {
}

void clearerr(struct _IO_FILE *stream) {
  model_use(stream);
  __trellis_clearerr();
}

int fileno(struct _IO_FILE *stream) {
  model_use(stream);
  return __VERIFIER_nondet_int();
}

void rewind(struct _IO_FILE *stream) {
  model_use(stream);
}

int fseek(struct _IO_FILE *stream, long by, int from) {
  (void)by;
  (void)from;
  model_use(stream);
  return __VERIFIER_nondet_int();
}

long ftell(struct _IO_FILE *stream) {
  model_use(stream);
  return __VERIFIER_nondet_long();
}

int remove(const char *path) {
  model_read(path);
  return __VERIFIER_nondet_bool() ? -1 : 0;
}
