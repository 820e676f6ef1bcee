// Frees the embedded list head instead of the object around it.
// expect: main violated invalid-free

#include <stdlib.h>
#include <assert.h>

struct list_head {
    struct list_head *next, *prev;
};

#define offsetof_(t, m) __builtin_offsetof(t, m)
#define container_of(ptr, type, member) \
    ((type *) ((char *) (ptr) - offsetof_(type, member)))

#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define list_for_each(p, head) for (p = (head)->next; p != (head); p = p->next)
#define list_for_each_safe(p, n, head) \
    for (p = (head)->next, n = p->next; p != (head); p = n, n = p->next)

struct task {
    int pid;
    struct list_head node;
};

static void list_add_tail(struct list_head *e, struct list_head *head)
{
    e->next = head;
    e->prev = head->prev;
    head->prev->next = e;
    head->prev = e;
}

static void list_del(struct list_head *e)
{
    e->prev->next = e->next;
    e->next->prev = e->prev;
}

int main(void)
{
    struct list_head tasks = LIST_HEAD_INIT(tasks);
    struct list_head *p, *n;
    int i = 0;

    for (i = 0; i < 3; i++) {
        struct task *t = malloc(sizeof(*t));
        t->pid = i;
        list_add_tail(&t->node, &tasks);
    }
    i = 0;
    list_for_each(p, &tasks)
        assert(container_of(p, struct task, node)->pid == i++);
    list_for_each_safe(p, n, &tasks) {
        list_del(p);
        free(p); // BUG
    }
    assert(tasks.next == &tasks && tasks.prev == &tasks);
    return 0;
}
