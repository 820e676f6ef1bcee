// The order of calls that are operands of one expression is open: all orders are followed.
// expect: either_way safe
// expect: as_written violated postcondition
// expect: three safe
// expect: the_last_first violated postcondition
// expect: halves safe
// expect: mixed unsupported
// expect: nested unsupported

static int stack[3] = {1, 2, 4};
static int top;

static int pop(void) { return stack[--top]; }
static int minus(int a, int b) { return a - b; }
static int digits(int a, int b, int c) { return a * 100 + b * 10 + c; }

/*@ requires top == 2 && stack[0] == 1 && stack[1] == 2;
    ensures \result == 1 || \result == -1; */
int either_way(void) { return minus(pop(), pop()); }

/*@ requires top == 2 && stack[0] == 1 && stack[1] == 2;
    ensures \result == 1; */ // BUG as_written
int as_written(void) { return pop() - pop(); }

/*@ requires top == 3 && stack[0] == 1 && stack[1] == 2 && stack[2] == 4;
    ensures \result == 124 || \result == 142 || \result == 214 || \result == 241 || \result == 412
         || \result == 421; */
int three(void) { return digits(pop(), pop(), pop()); }

/*@ requires top == 3 && stack[0] == 1 && stack[1] == 2 && stack[2] == 4;
    ensures \result != 124; */ // BUG the_last_first
int the_last_first(void) { return digits(pop(), pop(), pop()); }

struct node {
  struct node *next;
};

static struct node *reverse(struct node *list) {
  struct node *done = 0;
  while (list) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

static struct node *joined(struct node *a, struct node *b) {
  if (!a)
    return b;
  struct node *last = a;
  while (last->next)
    last = last->next;
  last->next = b;
  return a;
}

/*@ requires reach(next, a, \null) && reach(next, b, \null);
    requires \forall struct node *v; reach(next, a, v) && reach(next, b, v) ==> v == \null;
    ensures reach(next, \result, \null); */
struct node *halves(struct node *a, struct node *b) {
  return joined(reverse(a), reverse(b));
}

/*@ requires top == 2 && stack[0] == 1 && stack[1] == 2;
    ensures \result >= -2; */
int mixed(void) { return minus((pop(), top), pop()); }

/*@ requires top == 3 && stack[0] == 1 && stack[1] == 2 && stack[2] == 4;
    ensures \result >= -9; */
int nested(void) { return minus(minus(pop(), pop()), pop()); }
