#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* contact book: linked list sorted by name, command loop from stdin */
typedef struct contact {
    char name[32];
    char *phone;
    struct contact *next;
} Contact;

typedef struct {
    Contact *first;
    size_t count;
} Book;

static Contact *contact_new(const char *name, const char *phone)
{
    Contact *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    strncpy(c->name, name, sizeof c->name - 1);
    c->phone = strdup(phone);
    if (c->phone == NULL) {
        free(c);
        return NULL;
    }
    return c;
}

static int book_add(Book *b, const char *name, const char *phone)
{
    Contact **link = &b->first;
    while (*link != NULL && strcmp((*link)->name, name) < 0)
        link = &(*link)->next;
    if (*link != NULL && strcmp((*link)->name, name) == 0) {
        char *p = strdup(phone);
        if (!p) return -1;
        free((*link)->phone);
        (*link)->phone = p;
        return 0;
    }
    Contact *c = contact_new(name, phone);
    if (c == NULL)
        return -1;
    c->next = *link;
    *link = c;
    b->count++;
    return 1;
}

static int book_remove(Book *b, const char *name)
{
    for (Contact **link = &b->first; *link; link = &(*link)->next) {
        if (strcmp((*link)->name, name) == 0) {
            Contact *dead = *link;
            *link = dead->next;
            free(dead->phone);
            free(dead);
            b->count--;
            return 1;
        }
    }
    return 0;
}

static void book_clear(Book *b)
{
    Contact *c = b->first;
    while (c) {
        Contact *next = c->next;
        free(c->phone);
        free(c);
        c = next;
    }
    b->first = NULL;
    b->count = 0;
}

int main(void)
{
    Book book = { NULL, 0 };
    char line[128], name[32], phone[32];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "add %31s %31s", name, phone) == 2) {
            if (book_add(&book, name, phone) < 0) {
                fprintf(stderr, "out of memory\n");
                book_clear(&book);
                return EXIT_FAILURE;
            }
        } else if (sscanf(line, "del %31s", name) == 1) {
            if (!book_remove(&book, name))
                printf("no %s\n", name);
        } else if (strcmp(line, "quit\n") == 0)
            break;
    }
    for (Contact *c = book.first; c; c = c->next)
        printf("%-32s %s\n", c->name, c->phone);
    book_clear(&book);
    return 0;
}
