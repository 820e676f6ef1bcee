/* A double-ended queue on a doubly linked list with both ends kept. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct item {
    int data;
    struct item *prev;
    struct item *next;
} item_t;

typedef struct {
    item_t *front;
    item_t *back;
    unsigned size;
} deque_t;

static void deque_init(deque_t *d)
{
    d->front = d->back = NULL;
    d->size = 0;
}

static int push_front(deque_t *d, int data)
{
    item_t *it = malloc(sizeof(item_t));
    if (!it)
        return -1;
    it->data = data;
    it->prev = NULL;
    it->next = d->front;
    if (d->front)
        d->front->prev = it;
    else
        d->back = it;
    d->front = it;
    d->size++;
    return 0;
}

static int push_back(deque_t *d, int data)
{
    item_t *it = malloc(sizeof(item_t));
    if (!it)
        return -1;
    it->data = data;
    it->next = NULL;
    it->prev = d->back;
    if (d->back)
        d->back->next = it;
    else
        d->front = it;
    d->back = it;
    d->size++;
    return 0;
}

static int pop_front(deque_t *d, int *out)
{
    item_t *it = d->front;
    if (!it)
        return -1;
    *out = it->data;
    d->front = it->next;
    if (d->front)
        d->front->prev = NULL;
    else
        d->back = NULL;
    free(it);
    d->size--;
    return 0;
}

static int pop_back(deque_t *d, int *out)
{
    item_t *it = d->back;
    if (!it)
        return -1;
    *out = it->data;
    d->back = it->prev;
    if (d->back)
        d->back->next = NULL;
    else
        d->front = NULL;
    free(it);
    d->size--;
    return 0;
}

int main(void)
{
    deque_t d;
    int c, x;

    deque_init(&d);
    while ((c = getchar()) != EOF && c != '\n') {
        switch (c) {
        case '<':
            if (push_front(&d, c) < 0)
                goto out;
            break;
        case '>':
            if (push_back(&d, c) < 0)
                goto out;
            break;
        case '[':
            if (pop_front(&d, &x) == 0)
                printf("%c", x);
            break;
        case ']':
            if (pop_back(&d, &x) == 0)
                printf("%c", x);
            break;
        default:
            fprintf(stderr, "ignored '%c'\n", c);
        }
    }
out:
    while (pop_front(&d, &x) == 0)
        ;
    assert(d.front == NULL && d.back == NULL);
    return 0;
}
