struct node {
    struct node *next;
    void *payload;
};

struct node *head;

/*@ requires \forall struct node *v; reach(next, v, NULL); */
void f(void)
{
    head = (struct node *)0;
}
