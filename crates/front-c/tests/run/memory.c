typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
struct point {
    int x, y;
};
struct shape {
    char kind;
    struct point p[2];
    struct {
        struct point *where;
        long w;
    } in;
    union {
        int i;
        struct point q;
    };
};
struct node {
    struct node *next;
    int v;
};
static struct shape table[2] = {{'a', {{1, 2}, {3}}, {&table[1].p[1], 7}, {.q = {8, 9}}},
                                [1] = {.kind = 'b', .p[1].y = 6, .in.w = -1}};
struct point origin = {.y = 3};
int matrix[2][3] = {{1, 2}, {4, 5, 6}};
char text[] = "xyz";
struct point swap(struct point p) {
    struct point r = {p.y, p.x};
    p.x = 100;
    return r;
}
struct point *max(struct point *a, struct point *b) { return a->x > b->x ? a : b; }
void insert(struct node **at, int v) {
    while (*at && (*at)->v < v)
        at = &(*at)->next;
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = *at;
    *at = n;
}
int lists(void) {
    struct node *head = 0;
    int values[] = {5, 1, 4, 2}, s = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        insert(&head, values[i]);
    for (struct node *n = head; n; n = n->next)
        s = s * 6 + n->v;
    while (head) {
        struct node *t = head->next;
        free(head);
        head = t;
    }
    return s;
}
int main(void) {
    int s = table[0].p[1].x + table[1].p[1].y * 2 + (int)table[1].in.w + table[0].q.y * 3;
    s += table[0].in.where->y + (table[0].in.where == &table[1].p[1]) + table[0].p[1].y;
    struct shape copy = table[0], *ps = &copy;
    copy.p[0] = swap(copy.p[0]);
    ps->in.where = &copy.p[0];
    ps->in.where->x += 10;
    s = s * 3 + copy.p[0].x + copy.p[0].y + table[0].p[0].x;
    s += swap(swap(origin)).y + max(&copy.p[0], &copy.p[1])->x + origin.x;
    struct point local = {4}, arr[3] = {local, {5, 6}};
    struct point *end = arr + 3, *it;
    for (it = arr; it != end; ++it)
        s = s * 2 + it->x - it->y;
    s += (int)(end - arr) + (it > arr) + *(&arr[1].x + 0);
    s += matrix[1][2] + *matrix[1] + (*(matrix + 1))[1] + sizeof(matrix[0]);
    char buffer[8] = "ab";
    char *w = buffer + 1;
    *w++ = text[2];
    *w = '!';
    s += buffer[0] + buffer[1] * 2 + w[0] + buffer[7] + sizeof text;
    struct point *heap = malloc(2 * sizeof(struct point));
    heap[1] = (struct point){7, 8};
    memcpy(heap, heap + 1, sizeof *heap);
    s += heap->y + (s > 3 ? heap[0] : heap[1]).x;
    struct point *by_member = (struct point *)((char *)&heap[1].y - (size_t) & ((struct point *)0)->y);
    s += by_member == heap + 1;
    free(heap);
    int more = ({ int z = lists(); z + 1; });
    s += more;
    int *pi = &s, **ppi = &pi;
    **ppi += 5;
    pi[0]--;
    return (unsigned)s % 251;
}
