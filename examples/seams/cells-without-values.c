// What a contract says of a field of all objects is about values that a model of the logic may lack.
// expect: nobody_has_any violated postcondition
// expect: all_stay safe
// expect[pdr-forall]: nobody_has_any unknown imprecise
// expect[pdr-forall]: all_stay verified

struct node { struct node *next; void *any; };

/*@ requires \forall struct node *v; reach(next, v, 0);
    ensures \forall struct node *v; v != 0 && reach(next, a, v) ==> v->any == 0; */ // BUG nobody_has_any
void nobody_has_any(struct node *a)
{
    for (struct node *r = a; r; r = r->next) {}
}

/*@ requires \forall struct node *v; reach(next, v, 0);
    ensures \forall struct node *v; v != 0 && reach(next, a, v) ==> v->any == \old(v->any); */
void all_stay(struct node *a)
{
    for (struct node *r = a; r; r = r->next) {}
}
