extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void __VERIFIER_assert(int cond)
{
  if (!(cond)) {
    ERROR: __VERIFIER_error();
  }
  return;
}

struct slist { struct slist *next; };

int main(void)
{
  struct slist *one = 0, *two = 0, *p;
  int n1 = 0, n2 = 0, n = 0;

  while (__VERIFIER_nondet_int() && n < 100) {
    p = calloc(1UL, sizeof(struct slist));
    if (!p) goto out;
    p->next = one;
    one = p;
    ++n;
  }
  p = one;
  while (p && __VERIFIER_nondet_int())
    p = p->next;
  if (p) {
    two = p->next;
    p->next = (struct slist *)0;
  }
out:
  while (one) {
    p = one->next;
    free(one);
    one = p;
    n1++;
  }
  while (two) {
    p = two->next;
    free(two);
    two = p;
    n2++;
  }
  __VERIFIER_assert(n1 + n2 == n);
  return 0;
}
