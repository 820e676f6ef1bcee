typedef struct list {
    struct list *next;
    int v;
} list;

/* Deletion through a pointer to a pointer. */
void remove_value(list **head, int v) {
    list **p = head;
    while (*p) {
        if ((*p)->v == v) {
            list *dead = *p;
            *p = dead->next;
            __builtin_free(dead);
        } else
            p = &(*p)->next;
    }
}

list *remove_all(list *l) {
    remove_value(&l, 3);
    return l;
}

int arithmetic(int *a, unsigned n, char *c) {
    int *end = a + n, sum = 0;
    for (int *p = a; p < end; p++)
        sum += *p;
    while (*c++)
        ;
    sum -= end - a;
    a[n - 1] = *(a + 2);
    *a++ = --sum;
    return 2 [a] + (a == end) + !c;
}

void *identity(void *p) { return p; }

list *through_void(list *l) {
    void *v = l;
    unsigned long n = (unsigned long)v;
    list *back = (list *)n;
    list *again = identity(back);
    return again ? again : (list *)0;
}
