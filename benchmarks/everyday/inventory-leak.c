/* An inventory in a sorted list, driven by commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LEN 25

struct part {
    int number;
    char name[NAME_LEN + 1];
    int on_hand;
    struct part *next;
};

struct part *inventory = NULL;

struct part *find_part(int number)
{
    struct part *p;
    for (p = inventory; p != NULL && number > p->number; p = p->next)
        ;
    if (p != NULL && number == p->number)
        return p;
    return NULL;
}

void insert(void)
{
    struct part *cur, *prev, *new_node;

    new_node = malloc(sizeof(struct part));
    if (new_node == NULL) {
        printf("Database is full; can't add more parts.\n");
        return;
    }
    printf("Enter part number: ");
    if (scanf("%d", &new_node->number) != 1) {
        free(new_node);
        return;
    }
    for (cur = inventory, prev = NULL; cur != NULL && new_node->number > cur->number;
         prev = cur, cur = cur->next)
        ;
    if (cur != NULL && new_node->number == cur->number) {
        printf("Part already exists.\n");
        return;
    }
    printf("Enter part name: ");
    if (scanf("%25s", new_node->name) != 1)
        strcpy(new_node->name, "unnamed");
    new_node->on_hand = 0;
    new_node->next = cur;
    if (prev == NULL)
        inventory = new_node;
    else
        prev->next = new_node;
}

void update(void)
{
    int number, change;
    struct part *p;

    if (scanf("%d %d", &number, &change) != 2)
        return;
    p = find_part(number);
    if (p != NULL) {
        if (change > -1000 && change < 1000 && p->on_hand > -100000 && p->on_hand < 100000)
            p->on_hand += change;
    } else {
        printf("Part not found.\n");
    }
}

void print(void)
{
    struct part *p;
    for (p = inventory; p != NULL; p = p->next)
        printf("%7d       %-25s%11d\n", p->number, p->name, p->on_hand);
}

int main(void)
{
    char code;

    for (;;) {
        printf("Enter operation code: ");
        if (scanf(" %c", &code) != 1)
            break;
        while (getchar() != '\n' && !feof(stdin))
            ;
        switch (code) {
        case 'i': insert(); break;
        case 'u': update(); break;
        case 'p': print(); break;
        case 'q': goto done;
        default: printf("Illegal code\n");
        }
    }
done:
    while (inventory != NULL) {
        struct part *p = inventory;
        inventory = p->next;
        free(p);
    }
    return 0; // BUG
}
