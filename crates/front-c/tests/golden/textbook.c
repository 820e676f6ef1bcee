#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Node Node;
typedef int (*Compare)(int, int);
struct Node {
    int value;
    Node *next;
};
typedef struct {
    Node *head, *tail;
    size_t length;
} List;

void list_init(List *list) {
    memset(list, 0, sizeof *list);
    list->tail = list->head = NULL;
}

bool list_push(List *list, int value) {
    Node *n = (Node *)calloc(1, sizeof(Node));
    if (n == NULL) {
        fprintf(stderr, "out of memory\n");
        return false;
    }
    n->value = value;
    if (list->tail)
        list->tail->next = n;
    else
        list->head = n;
    list->tail = n;
    list->length++;
    assert(list->length > 0);
    return true;
}

int list_max(const List *list) {
    int best = list->head ? list->head->value : -1;
    for (const Node *n = list->head; n; n = n->next)
        best = n->value > best ? n->value : best;
    return best;
}

int main(int argc, char **argv) {
    List list;
    list_init(&list);
    for (int i = 0; i < argc; ++i) {
        if (!list_push(&list, i))
            exit(EXIT_FAILURE);
    }
    printf("%d %s\n", list_max(&list), argv[0]);
    assert(list_max(&list) >= 0 && list.head != NULL);
}
