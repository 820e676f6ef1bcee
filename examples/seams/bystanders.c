// A formula about all objects is also about those that hang at variables nobody mentions.
// expect: same_type violated postcondition
// expect: of_no_type violated postcondition
// expect: pointer_to_pointer violated postcondition
// expect: member_of_no_type violated postcondition
// expect: at_a_global violated postcondition
// expect[pdr-forall]: at_a_global violated postcondition
// expect: mentioned safe

#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

struct box {
    void *content;
};

struct node *kept;

/*@ requires a != NULL && a->next == NULL && kept == NULL;
    ensures  \forall struct node *v; alloc(v) ==> v == a; */ // BUG same_type
void same_type(struct node *other, struct node *a)
{
    a->value = 0;
}

/*@ requires a != NULL && a->next == NULL && kept == NULL;
    ensures  \forall struct node *v; alloc(v) ==> v == a; */ // BUG of_no_type
void of_no_type(void *other, struct node *a)
{
    a->value = 0;
}

/*@ requires a != NULL && a->next == NULL && kept == NULL;
    ensures  \forall struct node *v; alloc(v) ==> v == a; */ // BUG pointer_to_pointer
void pointer_to_pointer(struct node **other, struct node *a)
{
    a->value = 0;
}

/*@ requires a != NULL && a->next == NULL && kept == NULL;
    ensures  \forall struct node *v; alloc(v) ==> v == a; */ // BUG member_of_no_type
void member_of_no_type(struct box *other, struct node *a)
{
    a->value = 0;
}

/*@ requires \forall struct node *v; reach(next, v, NULL);
    requires a != NULL && a->next == NULL;
    ensures  \forall struct node *v; alloc(v) ==> v == a; */ // BUG at_a_global
void at_a_global(struct node *a)
{
    a->value = 0;
}

/*@ requires a != NULL && a->next == NULL && kept == NULL && other == NULL;
    ensures  \forall struct node *v; alloc(v) ==> v == a; */
void mentioned(struct node *other, struct node *a)
{
    a->value = 0;
}
