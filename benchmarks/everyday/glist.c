/* A list of anything, sorted by the comparator it was made with, which frees what it holds. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*compare_fn)(const void *, const void *);
typedef void (*free_fn)(void *);
typedef int (*visit_fn)(void *item, void *context);

typedef struct node {
    void *item;
    struct node *next;
} Node;

typedef struct {
    Node *head;
    size_t size;
    compare_fn compare;
    free_fn release;
} List;

static List *list_new(compare_fn compare, free_fn release)
{
    List *l = malloc(sizeof(List));
    if (!l) return NULL;
    l->head = NULL;
    l->size = 0;
    l->compare = compare;
    l->release = release;
    return l;
}

static int list_add(List *l, void *item)
{
    Node **link = &l->head;
    Node *n = malloc(sizeof(Node));
    if (!n) return 0;
    while (*link && l->compare((*link)->item, item) < 0) link = &(*link)->next;
    n->item = item;
    n->next = *link;
    *link = n;
    l->size++;
    return 1;
}

static void *list_take(List *l, const void *key)
{
    for (Node **link = &l->head; *link; link = &(*link)->next) {
        Node *n = *link;
        if (l->compare(n->item, key) == 0) {
            void *item = n->item;
            *link = n->next;
            free(n);
            l->size--;
            return item;
        }
    }
    return NULL;
}

static int list_each(List *l, visit_fn visit, void *context)
{
    for (Node *n = l->head; n; n = n->next)
        if (!visit(n->item, context)) return 0;
    return 1;
}

static void list_destroy(List *l)
{
    Node *n = l->head;
    while (n) {
        Node *next = n->next;
        if (l->release) l->release(n->item);
        free(n);
        n = next;
    }
    free(l);
}

typedef struct {
    char *name;
    int age;
} Person;

static Person *person_new(const char *name, int age)
{
    Person *p = malloc(sizeof(Person));
    if (!p) return NULL;
    p->name = strdup(name);
    if (!p->name) {
        free(p);
        return NULL;
    }
    p->age = age;
    return p;
}

static void person_free(void *p)
{
    Person *person = p;
    if (person) free(person->name);
    free(person);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Person *)a)->name, ((const Person *)b)->name);
}

static int print_person(void *item, void *context)
{
    const Person *p = item;
    int *total = context;
    *total += p->age;
    printf("%-6s %3d\n", p->name, p->age);
    return 1;
}

int main(void)
{
    List *people = list_new(by_name, person_free);
    Person key = { "Bob", 0 };
    Person *bob;
    int total = 0;

    if (!people) return 1;
    static const struct { const char *name; int age; } data[] = {
        { "Cleo", 31 }, { "Ann", 25 }, { "Bob", 40 }
    };
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        Person *p = person_new(data[i].name, data[i].age);
        if (!p || !list_add(people, p)) {
            person_free(p);
            list_destroy(people);
            return 1;
        }
    }
    assert(people->size == 3);
    list_each(people, print_person, &total);
    assert(total == 96);
    bob = list_take(people, &key);
    if (bob) printf("%s left\n", bob->name);
    person_free(bob);
    assert(people->size == 2 && strcmp(((Person *)people->head->item)->name, "Ann") == 0);
    list_destroy(people);
    return 0;
}
