// container_of with the wrong member: the address lies outside the object.
// expect: main violated bounds

#include <stdlib.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

#define offsetof_(t, m) __builtin_offsetof(t, m)
#define container_of(ptr, type, member) \
    ((type *) ((char *) (ptr) - offsetof_(type, member)))

struct page {
    int dirty;
    struct list_head all;
    struct list_head lru;
};

static struct list_head pages, lru;

static void init(struct list_head *h) { h->next = h->prev = h; }

static void add(struct list_head *e, struct list_head *h)
{
    e->next = h->next;
    e->prev = h;
    h->next->prev = e;
    h->next = e;
}

static void del(struct list_head *e)
{
    e->next->prev = e->prev;
    e->prev->next = e->next;
    init(e);
}

int main(void)
{
    int i;
    init(&pages);
    init(&lru);
    for (i = 0; i < 2; i++) {
        struct page *pg = malloc(sizeof(struct page));
        pg->dirty = __VERIFIER_nondet_int() != 0;
        init(&pg->lru);
        add(&pg->all, &pages);
        if (pg->dirty)
            add(&pg->lru, &lru);
    }
    while (lru.next != &lru) {
        struct page *pg = container_of(lru.next, struct page, all);
        pg->lru.next->prev = pg->lru.prev; // BUG
        pg->lru.prev->next = pg->lru.next;
    }
    while (pages.next != &pages) {
        struct page *pg = container_of(pages.next, struct page, all);
        if (pg->dirty)
            reach_error();
        del(&pg->all);
        free(pg);
    }
    return 0;
}
