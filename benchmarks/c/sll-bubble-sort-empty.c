#include <stdlib.h>
#include <assert.h>

int __VERIFIER_nondet_int(void);

typedef struct Node {
    int val;
    struct Node *next;
} Node;

static Node *createList(void)
{
    Node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        Node *node = (Node *)malloc(sizeof(Node));
        if (node == NULL) exit(1);
        node->val = __VERIFIER_nondet_int();
        node->next = head;
        head = node;
    }
    return head;
}

static void sortList(Node *head)
{
    int swapped = 1;
    while (swapped) {
        Node *p = head;
        swapped = 0;
        while (p->next != NULL) { // BUG
            if (p->val > p->next->val) {
                int t = p->val;
                p->val = p->next->val;
                p->next->val = t;
                swapped = 1;
            }
            p = p->next;
        }
    }
}

static void destroyList(Node *head)
{
    while (head != NULL) {
        Node *node = head;
        head = head->next;
        free(node);
    }
}

int main(void)
{
    Node *list = createList();
    Node *p;
    sortList(list);
    for (p = list; p != NULL && p->next != NULL; p = p->next)
        assert(p->val <= p->next->val);
    destroyList(list);
    return 0;
}
