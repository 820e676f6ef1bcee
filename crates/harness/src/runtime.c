typedef __SIZE_TYPE__ trellis_size;

static void trellis_fail(const char *file, int line, const char *what) {
    extern int dprintf(int, const char *, ...);
    dprintf(2, "%s:%d: runtime error: %s\n", file, line, what);
    __builtin_abort();
}

const char *__asan_default_options(void) {
    return "detect_leaks=1:detect_stack_use_after_return=1:redzone=128:handle_abort=1:"
           "allocator_may_return_null=1:alloc_dealloc_mismatch=0:print_legend=0";
}

/* What dead calls left on the stack holds nothing. */
#ifdef __SANITIZE_ADDRESS__
__attribute__((noinline, no_sanitize_address)) static void trellis_scrub(void) {
    volatile char space[1 << 17];
    for (int i = 0; i < 1 << 17; i++)
        space[i] = 0;
}
#else
static void trellis_scrub(void) {}
#endif

/* Inputs in the order in which the program asks for them. */
static long long trellis_input(void) {
    static trellis_size next;
    return next < sizeof trellis_inputs / sizeof *trellis_inputs - 1 ? trellis_inputs[next++] : 0;
}

/* Results of calls whose order C leaves open, and how many of them were not taken yet. */
static long long trellis_ordered[3];
static int trellis_left;

/* Memory in the order in which the program asks for it. */
struct trellis_allocation {
    int fails, type;
    unsigned marks;
};
static struct trellis_allocation trellis_next_allocation(void) {
    static trellis_size next;
    struct trellis_allocation none = {0, -1, 0};
    const trellis_size count = sizeof trellis_allocations / sizeof *trellis_allocations - 1;
    if (next >= count)
        return none;
    struct trellis_allocation found = {trellis_allocations[next][0], trellis_allocations[next][1],
                                       trellis_allocations[next][2]};
    next++;
    return found;
}
