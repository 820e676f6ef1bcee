// Memory that was allocated and freed since the entry is no object for a quantifier, but a pointer may
// still lead to it: what `stable`, `sorted` and sets say is about it as well.
// test: --no-check leak
// expect: is_stable violated spec-assert
// expect: leads_to_freed violated spec-assert
// expect: all_are_stable violated spec-assert
// expect: is_sorted violated spec-assert
// expect: is_no_member violated spec-assert
// expect: is_a_subset violated spec-assert
// expect: is_a_member safe
// expect: nothing_is_freed safe
// expect: others_are_stable safe
// expect[pdr-forall]: is_stable violated spec-assert
// expect[pdr-forall]: leads_to_freed violated spec-assert
// expect[pdr-forall]: all_are_stable violated spec-assert
// expect[pdr-forall]: is_sorted violated spec-assert
// expect[pdr-forall]: is_no_member violated spec-assert
// expect[pdr-forall]: is_a_subset violated spec-assert
// expect[pdr-forall]: is_a_member verified
// expect[pdr-forall]: nothing_is_freed verified
// expect[pdr-forall]: others_are_stable verified

#include <stdlib.h>

struct node {
    struct node *next;
    int key;
};

static struct node *freed(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = NULL;
    n->key = 1;
    free(n);
    return n;
}

/*@ requires \true; */
void is_stable(void)
{
    struct node *n = freed();
    /*@ assert stable(next, n); */ // BUG is_stable
}

/*@ requires \true; */
void leads_to_freed(void)
{
    struct node *n = malloc(sizeof *n);
    n->key = 1;
    n->next = freed();
    /*@ assert stable(next, n); */ // BUG leads_to_freed
}

/*@ requires \true; */
void all_are_stable(void)
{
    struct node *n = malloc(sizeof *n);
    n->key = 1;
    n->next = freed();
    /*@ assert \forall struct node *v; stable(next, v); */ // BUG all_are_stable
}

/*@ requires \true; */
void is_sorted(void)
{
    struct node *n = freed();
    /*@ assert sorted(next, key, n, n); */ // BUG is_sorted
}

/*@ requires \true; */
void is_no_member(void)
{
    struct node *n = freed();
    /*@ assert content(next, n) == \empty; */ // BUG is_no_member
}

/*@ requires reach(next, p, NULL) && stable(next, p); */
void is_a_subset(struct node *p)
{
    struct node *n = freed();
    /*@ assert \subset({n}, content(next, p)); */ // BUG is_a_subset
}

/*@ requires \true; */
void is_a_member(void)
{
    struct node *n = freed();
    /*@ assert content(next, n) == {n}; */
}

/*@ requires \true; */
void nothing_is_freed(void)
{
    struct node *n = freed();
    /*@ assert \forall struct node *v; v != NULL ==> alloc(v); */
}

/*@ requires reach(next, p, NULL) && stable(next, p); */
void others_are_stable(struct node *p)
{
    struct node *n = freed();
    /*@ assert stable(next, p); */
}
