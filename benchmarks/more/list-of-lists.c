// Appends a row of cells to a table: rows hang over `below`, the cells of a row over `right`.

#include <stddef.h>

struct cell {
    struct cell *right, *below;
};

/*@ requires table != NULL && reach(below, table, NULL);
    requires row != NULL && !reach(below, table, row) && reach(below, row, NULL);
    requires \forall struct cell *v; v != NULL && reach(below, row, v) ==> v == row;
    requires \forall struct cell *u, *v; v != NULL && reach(below, table, u) && reach(right, u, v) ==>
                 !reach(right, row, v);
    requires \forall struct cell *u; u != NULL && alloc(u) ==> reach(right, u, NULL) && reach(below, u, NULL);
    ensures  reach(below, table, NULL);
    ensures  \forall struct cell *v; v != NULL ==>
                 (reach(below, table, v) <==> \old(reach(below, table, v)) || v == row);
    ensures  \forall struct cell *v; v != NULL && reach(below, table, v) ==> reach(below, v, row);
    ensures  \forall struct cell *u, *v; \old(reach(right, u, v)) <==> reach(right, u, v); */
void append_row(struct cell *table, struct cell *row)
{
    do {
        if (table->below == NULL) {
            table->below = row;
            return;
        }
        table = table->below;
    } while (table != NULL);
}
