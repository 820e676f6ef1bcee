/* Questions about types, as macros of the kernel ask them. */
struct a { int x; struct a *next; };
struct b { int x; };
typedef struct a alias;

#define same(p, q) __builtin_types_compatible_p(typeof(p), typeof(q))
#define check(e) _Static_assert(e, "types")

int main(void) {
    struct a v = { 1, 0 };
    const struct a c = { 2, 0 };
    struct b w = { 3 };
    int bits = 0;
    check(same(v, c) && !same(v, w));
    bits |= same(v, *v.next) << 0;
    bits |= same(v, w) << 1;
    bits |= __builtin_types_compatible_p(alias, struct a) << 2;
    bits |= __builtin_types_compatible_p(struct a *, struct b *) << 3;
    bits |= __builtin_types_compatible_p(void, const void) << 4;
    bits |= __builtin_types_compatible_p(int, char) << 5;
    bits |= (same(v, v.x) || __builtin_types_compatible_p(_Bool, _Bool)) << 6;
    return bits;
}
