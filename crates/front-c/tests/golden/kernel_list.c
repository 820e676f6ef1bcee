/* Linux-style lists: embedded heads, container_of, safe iteration. */
#include <stddef.h>
#include <stdlib.h>

#define offset_of(type, member) ((size_t) & ((type *)0)->member)
#define container_of(ptr, type, member)                                                            \
    ({                                                                                             \
        const typeof(((type *)0)->member) *__mptr = (ptr);                                         \
        (type *)((char *)__mptr - offset_of(type, member));                                        \
    })
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_for_each_safe(pos, n, head)                                                           \
    for (pos = (head)->next, n = pos->next; pos != (head); pos = n, n = pos->next)
#define LIST_HEAD_INIT(name) {&(name), &(name)}
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)

struct list_head {
    struct list_head *next, *prev;
};

struct item {
    int key;
    struct list_head link;
};

static LIST_HEAD(items);

static inline void __list_add(struct list_head *n, struct list_head *p, struct list_head *nx) {
    nx->prev = n;
    n->next = nx;
    n->prev = p;
    p->next = n;
}

static inline void list_add_tail(struct list_head *n, struct list_head *head) {
    __list_add(n, head->prev, head);
}

static inline int list_empty(const struct list_head *head) { return head->next == head; }

void add(int key) {
    struct item *it = malloc(sizeof(*it));
    if (!it)
        return;
    it->key = key;
    list_add_tail(&it->link, &items);
}

int drop_all(void) {
    struct list_head *pos, *n;
    int sum = 0;
    list_for_each_safe(pos, n, &items) {
        struct item *it = list_entry(pos, struct item, link);
        sum += it->key;
        free(it);
    }
    items.next = items.prev = &items;
    return sum;
}
