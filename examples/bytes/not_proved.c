// Engines that prove follow members, not their bytes, and say so.
// expect: byte_write violated postcondition
// expect: byte_of_a_pointer violated postcondition
// expect: half_a_number violated postcondition
// expect: bits violated postcondition
// expect[pdr-forall]: byte_write unsupported
// expect[pdr-forall]: byte_of_a_pointer unsupported
// expect[pdr-forall]: half_a_number unsupported
// expect[pdr-forall]: bits unsupported
// expect[pdr-predicates]: byte_write unsupported
// expect[pdr-predicates]: byte_of_a_pointer unsupported
// expect[sll]: byte_write unsupported
// expect[sll]: byte_of_a_pointer unsupported
// expect[sll]: half_a_number unsupported
// expect[sll]: bits unsupported
// expect[canonical]: byte_write unsupported
// expect[canonical]: byte_of_a_pointer unsupported
// expect[canonical]: half_a_number unsupported
// expect[proveit]: byte_write unsupported
// expect[proveit]: byte_of_a_pointer unsupported
// expect[proveit]: half_a_number unsupported
// expect[proveit]: bits unsupported

#include <string.h>

struct node {
  struct node *next;
  int v;
  unsigned low : 3, high : 5;
};

/*@ requires p != \null && reach(next, p, \null);
    ensures \result == 0; */ // BUG byte_write
int byte_write(struct node *p) {
  p->v = 0;
  *(char *)&p->v = 1;
  return p->v;
}

/*@ requires p != \null && reach(next, p, \null);
    ensures p->next == \old(p->next); */ // BUG byte_of_a_pointer
void byte_of_a_pointer(struct node *p) {
  ((char *)&p->next)[0] = 0;
}

/*@ requires p != \null && reach(next, p, \null);
    ensures p->v == \old(p->v); */ // BUG half_a_number
void half_a_number(struct node *p) {
  memset(&p->v, 1, 2);
}

/*@ requires p != \null && reach(next, p, \null);
    ensures \result == 8; */ // BUG bits
int bits(struct node *p) {
  p->low = 8;
  return p->low;
}
