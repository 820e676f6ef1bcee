// Comments of other tools that begin like contracts are comments.
// test: --assume nothing
// expect: fresh violated leak
// expect: kept violated null-deref
// expect: owned safe
#include <stdlib.h>

//@{
/*@-type@*/
struct item { struct item *next; /*@null@*/ char *name; };
/*@=type@*/

/*@only@*/ static struct item *make(void)
{
    /*@i1@*/ return malloc(sizeof(struct item));
}
//@}

/*@ Makes one and forgets it, says an old comment. */
void fresh(void)
{
    struct item *i = make();
    i = NULL;
} // BUG fresh

/*@exits@*/
int kept(/*@returned@*/ struct item *i)
{
    return i->next != NULL; // BUG kept
}

/*@ requires i != NULL; @*/
int owned(/*@temp@*/ struct item *i)
{
    return i->next != NULL;
}
