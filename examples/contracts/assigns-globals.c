// Globals, in registers and in memory, are places of `assigns`.
// test: --engine pdr-forall
// expect: count verified
// expect: part_of_global violated assigns

#include <stdlib.h>

struct node {
    struct node *next;
    int mark;
};

struct pool {
    struct node *free;
    int used;
} pool;

int calls;

/*@ requires reach(next, pool.free, NULL);
    assigns  calls, pool.used, pool.free->mark; */
void count(void)
{
    calls = calls + 1;
    pool.used = pool.used + 1;
    if (pool.free)
        pool.free->mark = 1;
}

/*@ requires reach(next, pool.free, NULL);
    assigns  pool.used; */ // BUG
void part_of_global(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = pool.free;
    pool.free = n;
}
