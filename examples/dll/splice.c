// Moves a whole list behind the last node of another one; the list records keep both ends.
// expect: splice safe

#include <stddef.h>

struct elem { struct elem *next, *prev; };
struct list { struct elem *first, *last; };

/*@ predicate wf(struct list *l) =
      (l->first == NULL <==> l->last == NULL) && ls(next, l->first, NULL) &&
      (l->first != NULL ==> l->first->prev == NULL && reach(next, l->first, l->last) && l->last->next == NULL) &&
      \forall struct elem *v; v != NULL && reach(next, l->first, v) && v->next != NULL ==> v->next->prev == v; */

/*@ requires dst != NULL && src != NULL && dst != src && wf(dst) && wf(src);
    requires \inter(content(next, dst->first), content(next, src->first)) == \empty;
    ensures  wf(dst) && src->first == NULL && src->last == NULL;
    ensures  content(next, dst->first) == \old(\union(content(next, dst->first), content(next, src->first))); */
void splice(struct list *dst, struct list *src)
{
    if (src->first == NULL)
        return;
    if (dst->last == NULL) {
        dst->first = src->first;
    } else {
        dst->last->next = src->first;
        src->first->prev = dst->last;
    }
    dst->last = src->last;
    src->first = src->last = NULL;
}
