/* Contacts in an array that grows; sorted by name or by age, and searched by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contact {
    char name[12];
    int age;
};

struct book {
    struct contact *items;
    size_t count, room;
};

typedef int (*order)(const void *, const void *);

static int by_name(const void *a, const void *b)
{
    const struct contact *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int by_age(const void *a, const void *b)
{
    const struct contact *x = a, *y = b;
    if (x->age != y->age) return x->age < y->age ? -1 : 1;
    return by_name(a, b);
}

static int add(struct book *b, const char *name, int age)
{
    struct contact *c;
    if (b->count == b->room) {
        size_t room = b->room ? 2 * b->room : 2;
        struct contact *items = realloc(b->items, room * sizeof *items);
        if (items == NULL) return -1;
        b->items = items;
        b->room = room;
    }
    c = &b->items[b->count];
    strncpy(c->name, name, sizeof c->name - 1);
    c->name[sizeof c->name - 1] = '\0';
    c->age = age;
    b->count++;
    return 0;
}

static void sort(struct book *b, order how)
{
    if (b->count > 1) qsort(b->items, b->count, sizeof b->items[0], how);
}

static struct contact *find(struct book *b, const char *name)
{
    struct contact key;
    memset(&key, 0, sizeof key);
    strncpy(key.name, name, sizeof key.name - 1);
    sort(b, by_name);
    return bsearch(&key, b->items, b->count, sizeof key, by_name);
}

int main(void)
{
    struct book b = { NULL, 0, 0 };
    struct contact *c;
    int status = 0;

    if (add(&b, "Zoe", 31) || add(&b, "Bob", 40) || add(&b, "Ann", 40)) {
        fprintf(stderr, "out of memory\n");
        free(b.items);
        return 1;
    }
    sort(&b, by_age);
    for (size_t i = 0; i < b.count; i++) printf("%-12s%d\n", b.items[i].name, b.items[i].age);
    if (strcmp(b.items[1].name, "Ann") != 0) status = 2;
    c = find(&b, "Bob");
    if (c == NULL || c->age != 40) status = 3;
    c = find(&b, "Eve");
    printf("%d?\n", c->age); // BUG
    free(b.items);
    return status;
}
