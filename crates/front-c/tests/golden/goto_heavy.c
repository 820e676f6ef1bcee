struct n {
    struct n *next;
};
extern int nondet(void);

/* Locals come and go: jumps must end and begin them. */
int scopes(int k) {
    int *p = 0;
again: {
    int x = k;
    p = &x;
    if (k == 1)
        goto out;
    if (k == 2)
        goto inside;
    {
        int y;
        p = &y;
    inside:
        y = 3;
        if (k > 5)
            goto again;
        *p = y;
    }
    k++;
}
out:
    while (k > 0) {
        int z = k--;
        int *q = &z;
        if (*q == 7)
            continue;
        if (*q == 3)
            break;
        if (*q == 2)
            return *q;
    }
    return k;
}

void machine(struct n *p) {
start:
    if (!p)
        goto end;
    p = p->next;
    if (p && p->next)
        goto start;
    else
        goto stop;
stop:
    goto stop;
end:;
}
