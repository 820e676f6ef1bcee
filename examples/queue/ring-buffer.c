// A ring buffer in an array: put and get with wrap-around.
// test: --int-values 0,1,2,3
// expect: put safe
// expect: get safe

enum { CAP = 3 };

struct rb { int head, len; int buf[CAP]; };

//@ predicate ok(struct rb *r) = r != \null && 0 <= r->head < CAP && 0 <= r->len <= CAP;

/*@ requires ok(r);
    ensures  ok(r);
    ensures  \result != 0 <==> \old(r->len) < CAP;
    ensures  \result != 0 ==> r->len == \old(r->len) + 1 && r->buf[(r->head + \old(r->len)) % CAP] == x; */
int put(struct rb *r, int x)
{
    if (r->len == CAP)
        return 0;
    r->buf[(r->head + r->len) % CAP] = x;
    r->len++;
    return 1;
}

/*@ requires ok(r) && r->len > 0;
    ensures  ok(r) && r->len == \old(r->len) - 1;
    ensures  \result == \old(r->buf[r->head]); */
int get(struct rb *r)
{
    int x = r->buf[r->head];
    if (++r->head == CAP)
        r->head = 0;
    r->len--;
    return x;
}
