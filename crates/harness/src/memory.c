/* The sanitizer gives a byte to who asks for none: nobody may use it. */
void __asan_poison_memory_region(const volatile void *, trellis_size) __attribute__((weak));
static void *trellis_sized(void *at, trellis_size size) {
    if (at && size == 0 && __asan_poison_memory_region)
        __asan_poison_memory_region(at, 1);
    return at;
}
static void *trellis_malloc(trellis_size size) {
    struct trellis_allocation next = trellis_next_allocation();
    return next.fails ? (void *)0
                      : TRELLIS_NEW(trellis_sized(__builtin_malloc(size), size), size, next, 0);
}
static void *trellis_calloc(trellis_size count, trellis_size size) {
    struct trellis_allocation next = trellis_next_allocation();
    return next.fails ? (void *)0
                      : TRELLIS_NEW(__builtin_calloc(count, size), count * size, next, 1);
}
