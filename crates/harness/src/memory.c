static void *trellis_malloc(trellis_size size) {
    struct trellis_allocation next = trellis_next_allocation();
    return next.fails ? (void *)0 : TRELLIS_NEW(__builtin_malloc(size), size, next, 0);
}
static void *trellis_calloc(trellis_size count, trellis_size size) {
    struct trellis_allocation next = trellis_next_allocation();
    return next.fails ? (void *)0
                      : TRELLIS_NEW(__builtin_calloc(count, size), count * size, next, 1);
}
