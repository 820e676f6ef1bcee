// A stack over a list; every stack has nodes of its own.
// test: --objects 4
// expect: Stack.push safe
// expect: Stack.pop safe
// expect: Stack.isEmpty safe

class Cell {
    public Object value;
    public Cell below;
}

class Stack {
    private Cell top;

    /*:
      public specvar cells :: objset;
      vardefs "cells == {c. c ~= null & (this..top, c) : {(x, y). x..below = y}^*}";

      invariant "tree [Stack.top, Cell.below]";
    */

    public void push(Object value)
    /*: ensures "card cells = card (old cells) + 1 & top..value = value &
                 (ALL s. s : Stack & s ~= null & s ~= this --> s..cells = old (s..cells))" */
    {
        Cell c = new Cell();
        c.value = value;
        c.below = top;
        top = c;
    }

    public Object pop()
    /*: requires "cells ~= {}"
        ensures "result = old (top..value) & cells = old cells - {old top}" */
    {
        Cell c = top;
        top = c.below;
        c.below = null;
        return c.value;
    }

    public boolean isEmpty()
    /*: ensures "result = (cells = {})" */
    {
        return top == null;
    }
}
