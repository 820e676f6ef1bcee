// A tree of boxes whose set is written with null in it, as Jahob's authors like to, and beside whose
// links there is a pointer that no code follows: it may lead anywhere, in circles as well.
// test: --objects 3
// expect: Shelf.put violated postcondition
// expect: Shelf.leftmost safe
// expect[pdr-forall]: Shelf.leftmost verified

final class Box {
    public /*: claimedby Shelf */ Box lower;
    public /*: claimedby Shelf */ Box upper;
    public Box label;
    public int size;
}

class Shelf {
    private static Box top;

    /*:
      public static specvar boxes :: objset;
      private vardefs "boxes == {b. rtrancl_pt (% p q. p..Box.lower = q | p..Box.upper = q) top b}";

      invariant "tree [Box.lower, Box.upper]";

      invariant "top = null | (ALL b. b..Box.lower ~= top & b..Box.upper ~= top)";

      invariant "ALL p q. p ~= null & q ~= null & (p..Box.lower = q | p..Box.upper = q)
                   --> ~(q = top) & q : boxes";
    */

    public static void put(Box b, int size)
    /*: requires "b ~: boxes"
        modifies boxes
        ensures "boxes = old boxes Un {b}"
    */
    {
        Box at = top, above = null;
        boolean below = false;
        while (at != null) {
            above = at;
            below = size < at.size;
            if (below) at = at.lower;
            else at = at.upper;
        }
        b.size = size;
        if (above == null) top = b;
        else if (below) above.lower = b.lower;
        else above.upper = b;
    } // BUG

    public static Box leftmost()
    /*: ensures "result : boxes & (result = null --> (ALL b. b : boxes --> b = null))" */
    {
        Box at = top;
        while (at != null && at.lower != null) at = at.lower;
        return at;
    }
}
