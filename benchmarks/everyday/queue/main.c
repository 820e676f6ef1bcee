#include <stdio.h>
#include <stdlib.h>

#include "queue.h"

static int fail(struct queue *q, const char *what)
{
    fprintf(stderr, "%s failed\n", what);
    if (q != NULL)
        queue_destroy(q);
    return EXIT_FAILURE;
}

int main(void)
{
    struct queue *q = queue_create();
    int i, value;

    if (q == NULL)
        return fail(q, "create");
    for (i = 0; i < 3; i++)
        if (queue_put(q, i) != 0)
            return fail(q, "put");
    while (queue_length(q) > 0) {
        if (queue_get(q, &value) != 0)
            return fail(q, "get");
        printf("%d\n", value);
    }
    if (queue_put(q, 42) != 0)
        return fail(q, "put");
    queue_destroy(q);
    return EXIT_SUCCESS;
}
