/* The objects that contracts speak of. Addresses are kept as their complements, which keep nothing
   from being leaked. */
struct trellis_object {
    trellis_size hidden, size;
    int type, live, initial, existed;
    unsigned marks;
    char *before;
};
static struct trellis_object trellis_objects[1 << 16];
static int trellis_count;

#define TRELLIS_MOST 4096
#define TRELLIS_FALSE 0
#define TRELLIS_UNDEFINED 1
#define TRELLIS_TRUE 2
enum { TRELLIS_NOW, TRELLIS_PRE };
/* What fresh memory is filled with, to see what was never written. */
#define TRELLIS_FRESH 0xbe

static char *trellis_at(const struct trellis_object *o) { return (char *)~o->hidden; }

static void *trellis_known(void *at, trellis_size size, int type, int initial, unsigned marks) {
    if (at && trellis_count < 1 << 16) {
        struct trellis_object o = {~(trellis_size)at, size, type, 1, initial, 0, marks, 0};
        trellis_objects[trellis_count++] = o;
    }
    return at;
}

static void *trellis_new(void *at, trellis_size size, struct trellis_allocation as, int zeroed) {
    if (at && !zeroed)
        __builtin_memset(at, TRELLIS_FRESH, size);
    return trellis_known(at, size, as.type, 0, as.marks);
}

static void trellis_free(void *at) {
    for (int i = 0; at && i < trellis_count; i++)
        if (trellis_at(&trellis_objects[i]) == at && trellis_objects[i].live)
            trellis_objects[i].live = 0;
    __builtin_free(at);
}

/* The state at the entry of the procedure whose contract is looked at. */
static void trellis_enter(void) {
    for (int i = 0; i < trellis_count; i++) {
        struct trellis_object *o = &trellis_objects[i];
        o->existed = o->live;
        if (!o->live)
            continue;
        o->before = __builtin_malloc(o->size + 1);
        __builtin_memcpy(o->before, trellis_at(o), o->size);
    }
}

/* An integer or a pointer, if there is one. */
typedef struct {
    int ok;
    __int128 n;
} trellis_value;

/* What a recursive predicate was asked and has not answered yet. */
struct trellis_goal {
    const trellis_value *values;
    int count;
    const struct trellis_goal *outer;
};
/* What is known of a goal before its definition is looked at; -1: nothing. */
static int trellis_asked(const struct trellis_goal *goal) {
    int depth = 0, same;
    for (int i = 0; i < goal->count; i++)
        if (!goal->values[i].ok)
            return TRELLIS_UNDEFINED;
    for (const struct trellis_goal *g = goal->outer; g; g = g->outer) {
        same = ++depth < 10000;
        for (int i = 0; same && i < goal->count; i++)
            same = g->values[i].n == goal->values[i].n;
        if (same)
            return TRELLIS_FALSE;
    }
    return depth < 10000 ? -1 : TRELLIS_UNDEFINED;
}

static const trellis_value trellis_nothing;
static trellis_value trellis_int(__int128 n) { return (trellis_value){1, n}; }
static trellis_value trellis_pointer(const volatile void *p) {
    return (trellis_value){1, (trellis_size)p};
}

/* The object that an address lies in. The last one: older ones may have had the same address. */
static struct trellis_object *trellis_find(int view, trellis_size at) {
    struct trellis_object *found = 0;
    for (int i = 0; i < trellis_count; i++) {
        struct trellis_object *o = &trellis_objects[i];
        trellis_size start = ~o->hidden;
        trellis_size size = o->size ? o->size : 1;
        if (at >= start && at - start < size && (view == TRELLIS_NOW || o->existed))
            found = o;
    }
    return found;
}

int __asan_address_is_poisoned(void const volatile *);

/* The bytes at an address, or null. What is in no known object may lie in a local variable. */
static const char *trellis_bytes(int view, trellis_value at, trellis_size size) {
    if (!at.ok || at.n == 0)
        return 0;
    trellis_size address = (trellis_size)at.n;
    struct trellis_object *o = trellis_find(view, address);
    if (!o) {
        for (trellis_size i = 0; i < size; i++)
            if (address < 4096 || __asan_address_is_poisoned((char *)address + i))
                return 0;
        return (const char *)address;
    }
    trellis_size offset = address - ~o->hidden;
    if (offset + size > o->size || (view == TRELLIS_NOW && !o->live))
        return 0;
    return view == TRELLIS_PRE ? o->before + offset : (const char *)address;
}

/* A scalar of so many bytes; as 0: an unsigned number, 1: a signed one, 2: a pointer. */
static trellis_value trellis_load(int view, trellis_value at, int size, int as) {
    const unsigned char *bytes = (const unsigned char *)trellis_bytes(view, at, size);
    if (!bytes)
        return trellis_nothing;
    int fresh = 1;
    unsigned long long n = 0;
    for (int i = size - 1; i >= 0; i--) {
        fresh &= bytes[i] == TRELLIS_FRESH;
        n = n << 8 | bytes[i];
    }
    if (fresh)
        return trellis_nothing;
    if (as == 1 && size < 8 && n >> (8 * size - 1))
        return trellis_int((__int128)n - ((__int128)1 << 8 * size));
    return trellis_int(as == 1 ? (__int128)(long long)n : (__int128)n);
}

static trellis_value trellis_bits(int view, trellis_value at, int shift, int width, int is_signed) {
    const unsigned char *bytes =
        (const unsigned char *)trellis_bytes(view, at, (shift + width + 7) / 8);
    if (!bytes)
        return trellis_nothing;
    unsigned __int128 n = 0;
    for (int i = (shift + width + 7) / 8 - 1; i >= 0; i--)
        n = n << 8 | bytes[i];
    n = n >> shift & (((unsigned __int128)1 << width) - 1);
    if (is_signed && n >> (width - 1))
        return trellis_int((__int128)n - ((__int128)1 << width));
    return trellis_int(n);
}

static trellis_value trellis_moved(trellis_value p, trellis_value bytes) {
    if (!p.ok || !bytes.ok || (p.n == 0 && bytes.n != 0))
        return trellis_nothing;
    return trellis_int(p.n + bytes.n);
}

static trellis_value trellis_arith(int op, trellis_value a, trellis_value b) {
    if (!a.ok || !b.ok || ((op == '/' || op == '%') && b.n == 0))
        return trellis_nothing;
    switch (op) {
    case '+': return trellis_int(a.n + b.n);
    case '-': return trellis_int(a.n - b.n);
    case '*': return trellis_int(a.n * b.n);
    case '/': return trellis_int(a.n / b.n);
    default: return trellis_int(a.n % b.n);
    }
}

static int trellis_not(int truth) { return 2 - truth; }
static int trellis_and(int a, int b) { return a < b ? a : b; }
static int trellis_or(int a, int b) { return a > b ? a : b; }
static int trellis_iff(int a, int b) { return a == 1 ? 1 : a == 2 ? b : 2 - b; }
static int trellis_is(int truth) { return truth ? TRELLIS_TRUE : TRELLIS_FALSE; }

/* 0: ==, 1: !=, 2: <, 3: <=, 4: >, 5: >=. */
static int trellis_compare(int op, trellis_value a, trellis_value b) {
    if (!a.ok || !b.ok)
        return TRELLIS_UNDEFINED;
    int holds[] = {a.n == b.n, a.n != b.n, a.n < b.n, a.n <= b.n, a.n > b.n, a.n >= b.n};
    return trellis_is(holds[op]);
}

static int trellis_is_allocated(int view, trellis_value p) {
    return p.ok && trellis_bytes(view, p, 1) != 0;
}
static int trellis_alloc(int view, trellis_value p) {
    return p.ok ? trellis_is(trellis_is_allocated(view, p)) : TRELLIS_UNDEFINED;
}
static int trellis_valid(int view, trellis_value p, int size) {
    return p.ok ? trellis_is(trellis_bytes(view, p, size) != 0) : TRELLIS_UNDEFINED;
}
static int trellis_separated(trellis_value a, trellis_value b) {
    if ((a.ok && a.n == 0) || (b.ok && b.n == 0))
        return TRELLIS_TRUE;
    if (!a.ok || !b.ok)
        return TRELLIS_UNDEFINED;
    struct trellis_object *o = trellis_find(TRELLIS_NOW, (trellis_size)a.n);
    return trellis_is(!o || o != trellis_find(TRELLIS_NOW, (trellis_size)b.n));
}
static int trellis_mark(trellis_value p, int bit) {
    if (!p.ok)
        return TRELLIS_UNDEFINED;
    struct trellis_object *o = p.n ? trellis_find(TRELLIS_NOW, (trellis_size)p.n) : 0;
    return trellis_is(o && o->marks >> bit & 1);
}

/* The places from a place on over a field: where they end, and how. */
struct trellis_orbit {
    int count, cycle;
    enum { TRELLIS_NULL, TRELLIS_STOP, TRELLIS_CYCLE } end;
    trellis_size at[TRELLIS_MOST];
};
static trellis_value trellis_follow(int view, trellis_size at, int offset) {
    return trellis_load(view, trellis_int((__int128)at + offset), sizeof(void *), 2);
}
static void trellis_walk(struct trellis_orbit *o, int view, int offset, trellis_value from) {
    o->count = 0;
    o->end = TRELLIS_NULL;
    while (from.n != 0) {
        for (int i = 0; i < o->count; i++)
            if (o->at[i] == (trellis_size)from.n) {
                o->cycle = i;
                o->end = TRELLIS_CYCLE;
                return;
            }
        if (o->count == TRELLIS_MOST)
            return;
        o->at[o->count++] = (trellis_size)from.n;
        from = trellis_follow(view, (trellis_size)from.n, offset);
        if (!from.ok) {
            o->end = TRELLIS_STOP;
            return;
        }
    }
}
static int trellis_position(const struct trellis_orbit *o, trellis_size at) {
    for (int i = 0; i < o->count; i++)
        if (o->at[i] == at)
            return i;
    return -1;
}
/* How many places lie between the first and `to`, ends included. */
static int trellis_segment(const struct trellis_orbit *o, trellis_value to) {
    if (to.n == 0)
        return o->end == TRELLIS_NULL ? o->count : 0;
    int at = trellis_position(o, (trellis_size)to.n);
    return at < 0 ? 0 : o->end == TRELLIS_CYCLE && at >= o->cycle ? o->count : at + 1;
}

static int trellis_reach(int view, int offset, int strict, trellis_value from, trellis_value to) {
    if (!from.ok || !to.ok)
        return TRELLIS_UNDEFINED;
    if (!strict && from.n == to.n)
        return TRELLIS_TRUE;
    for (int i = 0; from.n != 0 && i < TRELLIS_MOST; i++) {
        from = trellis_follow(view, (trellis_size)from.n, offset);
        if (!from.ok)
            return TRELLIS_FALSE;
        if (from.n == to.n)
            return TRELLIS_TRUE;
    }
    return TRELLIS_FALSE;
}

/* The places of a type: in objects that are there, or were at the start; `all`: null, too. */
static int trellis_places(int of, int view, int all, trellis_size *out) {
    int n = 0;
    if (all)
        out[n++] = 0;
    for (int i = 0; i < trellis_count; i++) {
        const struct trellis_object *o = &trellis_objects[i];
        int there = view == TRELLIS_PRE ? o->existed : o->live;
        if (!(all ? o->live || o->initial : there))
            continue;
        const int *row = 0;
        int rows = 0, size = 0;
        trellis_inside(of, o->type, &row, &rows, &size);
        if (size == 1 << 30 && n < TRELLIS_MOST) /* Anything: the start alone. */
            out[n++] = ~o->hidden;
        for (trellis_size base = 0; size > 0 && base + size <= (o->size ? o->size : 1); base += size)
            for (int k = 0; k < rows && n < TRELLIS_MOST; k++)
                out[n++] = ~o->hidden + base + row[k];
    }
    return n;
}

static int trellis_ls(int view, int offset, int owner, trellis_value x, trellis_value y) {
    static struct trellis_orbit o;
    static trellis_size places[TRELLIS_MOST];
    if (!x.ok || !y.ok)
        return TRELLIS_UNDEFINED;
    trellis_walk(&o, view, offset, x);
    int inside = trellis_segment(&o, y);
    if (inside == 0)
        return trellis_is(x.n == y.n);
    if (o.end == TRELLIS_CYCLE && o.cycle == 0)
        return TRELLIS_TRUE;
    int count = trellis_places(owner, view, 0, places);
    for (int i = 0; i < count; i++) {
        if (trellis_position(&o, places[i]) >= 0)
            continue;
        trellis_value next = trellis_follow(view, places[i], offset);
        for (int k = 1; next.ok && k < inside; k++)
            if ((trellis_size)next.n == o.at[k])
                return TRELLIS_FALSE;
    }
    return TRELLIS_TRUE;
}
static int trellis_stable(int view, int offset, trellis_value x) {
    static struct trellis_orbit o;
    if (!x.ok)
        return TRELLIS_UNDEFINED;
    trellis_walk(&o, view, offset, x);
    for (int i = 0; i < o.count; i++)
        if (!trellis_is_allocated(view, trellis_int(o.at[i])))
            return TRELLIS_FALSE;
    return TRELLIS_TRUE;
}
static int trellis_rev(int view, int offset, int back, trellis_value x, trellis_value y) {
    static struct trellis_orbit o;
    if (!x.ok || !y.ok)
        return TRELLIS_UNDEFINED;
    trellis_walk(&o, view, offset, x);
    int count = trellis_segment(&o, y);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            int forth = i <= j || (o.end == TRELLIS_CYCLE && j >= o.cycle);
            trellis_value u = trellis_int(o.at[i]), v = trellis_int(o.at[j]);
            if (trellis_reach(view, back, 0, v, u) != trellis_is(forth))
                return TRELLIS_FALSE;
        }
    return TRELLIS_TRUE;
}
static int trellis_sorted(int view, int offset, int key, int size, int as, trellis_value x,
                          trellis_value y) {
    static struct trellis_orbit o;
    if (!x.ok || !y.ok)
        return TRELLIS_UNDEFINED;
    trellis_walk(&o, view, offset, x);
    int count = trellis_segment(&o, y), known = TRELLIS_TRUE, some = 0;
    __int128 largest = 0;
    for (int i = 0; i < count; i++) {
        trellis_value k = trellis_load(view, trellis_int((__int128)o.at[i] + key), size, as);
        if (!k.ok) {
            known = TRELLIS_UNDEFINED;
            continue;
        }
        if (some && (largest > k.n || (o.end == TRELLIS_CYCLE && i > o.cycle && largest != k.n)))
            return TRELLIS_FALSE;
        largest = k.n;
        some = 1;
    }
    return known;
}

/* A set of places. */
typedef struct {
    int ok, count;
    trellis_size at[256];
} trellis_set;
static trellis_set trellis_empty(void) { return (trellis_set){1, 0, {0}}; }
static int trellis_has(const trellis_set *s, trellis_size at) {
    for (int i = 0; i < s->count; i++)
        if (s->at[i] == at)
            return 1;
    return 0;
}
static trellis_set trellis_with(trellis_set s, trellis_value x) {
    s.ok &= x.ok && s.count < 256;
    if (s.ok && !trellis_has(&s, (trellis_size)x.n))
        s.at[s.count++] = (trellis_size)x.n;
    return s;
}
static trellis_set trellis_content(int view, int offset, trellis_value from) {
    static struct trellis_orbit o;
    trellis_set s = trellis_empty();
    s.ok = from.ok;
    if (!s.ok)
        return s;
    trellis_walk(&o, view, offset, from);
    for (int i = 0; i < o.count; i++)
        s = trellis_with(s, trellis_int(o.at[i]));
    return s;
}
/* '|', '&', '-'. */
static trellis_set trellis_combine(int op, trellis_set a, trellis_set b) {
    trellis_set s = op == '|' ? a : trellis_empty();
    s.ok = a.ok && b.ok;
    for (int i = 0; s.ok && op == '|' && i < b.count; i++)
        s = trellis_with(s, trellis_int(b.at[i]));
    for (int i = 0; s.ok && op != '|' && i < a.count; i++)
        if (trellis_has(&b, a.at[i]) == (op == '&'))
            s = trellis_with(s, trellis_int(a.at[i]));
    return s;
}
static int trellis_subset(trellis_set a, trellis_set b) {
    if (!a.ok || !b.ok)
        return TRELLIS_UNDEFINED;
    for (int i = 0; i < a.count; i++)
        if (!trellis_has(&b, a.at[i]))
            return TRELLIS_FALSE;
    return TRELLIS_TRUE;
}
static int trellis_same(trellis_set a, trellis_set b) {
    return trellis_and(trellis_subset(a, b), trellis_subset(b, a));
}
static int trellis_in(trellis_value x, trellis_set s) {
    if (!x.ok || !s.ok)
        return TRELLIS_UNDEFINED;
    return trellis_is(trellis_has(&s, (trellis_size)x.n));
}

/* All places that are reached over several fields, ended by -1; whether in one way each. */
static trellis_set trellis_over(int view, const int *fields, trellis_value from, int *twice,
                                int *stops) {
    trellis_set s = trellis_with(trellis_empty(), from);
    *twice = *stops = 0;
    for (int i = 0; i < s.count; i++)
        for (const int *f = fields; *f >= 0; f++) {
            trellis_value next = trellis_follow(view, s.at[i], *f);
            if (!next.ok)
                *stops = 1;
            else if (next.n != 0 && trellis_has(&s, (trellis_size)next.n))
                *twice = 1;
            else if (next.n != 0)
                s = trellis_with(s, next);
        }
    return s;
}
static int trellis_reach_over(int view, const int *fields, trellis_value x, trellis_value y) {
    int twice, stops;
    if (!x.ok || !y.ok)
        return TRELLIS_UNDEFINED;
    if (x.n == 0 || y.n == 0)
        return TRELLIS_FALSE;
    return trellis_in(y, trellis_over(view, fields, x, &twice, &stops));
}
static int trellis_tree(int view, const int *fields, trellis_value x) {
    int twice, stops;
    if (!x.ok)
        return TRELLIS_UNDEFINED;
    if (x.n == 0)
        return TRELLIS_TRUE;
    trellis_over(view, fields, x, &twice, &stops);
    return twice ? TRELLIS_FALSE : stops ? TRELLIS_UNDEFINED : TRELLIS_TRUE;
}

/* Whether some object leads back to itself over a field of its own type. */
static int trellis_cyclic(int of, int offset) {
    static trellis_size places[TRELLIS_MOST];
    int count = trellis_places(of, TRELLIS_NOW, 0, places);
    for (int i = 0; i < count; i++) {
        trellis_value at = trellis_int(places[i]);
        if (trellis_reach(TRELLIS_NOW, offset, 1, at, at) == TRELLIS_TRUE)
            return 1;
    }
    return 0;
}
