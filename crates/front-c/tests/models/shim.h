/* What Trellis gives to models, for a compiler: choices come from a tape. */
#include <stddef.h>
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void *memset(void *, int, size_t);
void *memmove(void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void abort(void);
size_t __sanitizer_get_allocated_size(const volatile void *);
unsigned long next_choice(void);
#define __VERIFIER_nondet_int() ((int)next_choice())
#define __VERIFIER_nondet_bool() ((int)(next_choice() & 1))
#define __VERIFIER_nondet_char() ((char)next_choice())
#define __VERIFIER_nondet_uchar() ((unsigned char)next_choice())
#define __VERIFIER_nondet_long() ((long)next_choice())
#define __VERIFIER_nondet_ulong() (next_choice())
#define __VERIFIER_nondet_ulonglong() (next_choice())
#define __VERIFIER_assume(c) ((c) ? (void)0 : abort())
#define __VERIFIER_assert(c) ((c) ? (void)0 : abort())
#define __trellis_object_size(p) __sanitizer_get_allocated_size(p)
