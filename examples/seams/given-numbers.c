// What a procedure beside `main` finds in its parameters and globals may be any number; constants
// are what they are.
// expect: chain safe
// expect: trusting violated assertion
// expect[summaries]: chain verified
// expect[summaries]: trusting unknown abstraction

#include <assert.h>
#include <stdlib.h>

struct node { struct node *next; int value; };

int limit = 3;
const int step = 2;
int marks[2];

void chain(int n)
{
    struct node *head = NULL;
    limit = 0;
    marks[1] = step;
    while (n > 0) {
        struct node *new = malloc(sizeof *new);
        new->next = head;
        new->value = marks[1];
        head = new;
        n--;
    }
    while (head != NULL) {
        struct node *next = head->next;
        assert(head->value == 2 && limit == 0);
        free(head);
        head = next;
    }
}

void trusting(void)
{
    struct node *n = malloc(sizeof *n);
    n->value = limit;
    n->next = NULL;
    int is_three = n->value == 3;
    free(n);
    assert(is_three); // BUG
}
