// Symbolic Shape Analysis, Figure 9: Skiplist.add. Two levels: the upper one skips nodes of the lower one.
// test: --objects 3
// expect: Skiplist.add safe

class Node {
    public int v;
    public Node next;
    public Node nextSub;
}

class Skiplist {
    private static Node root;

    /*:
      public static specvar content :: objset;
      private vardefs "content == {x. x ~= null & (root, x) : {(x, y). x..next = y}^*}";

      invariant "tree [Node.next]";

      // The upper level leads forward in the lower one.
      invariant "ALL x y. Node.nextSub x = y -->
                   (x = null --> y = null) &
                   (x ~= null --> (Node.next x, y) : {(x, y). x..next = y}^*)";

      invariant "ALL x. x ~= null & x ~: content -->
                   Node.next x = null & (ALL y. y ~= null --> Node.next y ~= x)";

      invariant "root = null | (ALL x. Node.next x ~= root)";
    */

    public static void add(Node e)
    /*: requires "e ~= null & e ~: content"
        modifies content
        ensures "content = old content Un {e}"
    */
    {
        if (root == null) {
            root = e;
        } else {
            int v = e.v;
            Node upperPrev = root;
            Node upper = root.nextSub;
            while ((upper != null) && (upper.v < v)) {
                upperPrev = upper;
                upper = upper.nextSub;
            }
            Node prev = upperPrev;
            Node current = upperPrev.next;
            while ((current != upper) && (current.v < v)) {
                prev = current;
                current = current.next;
            }
            e.next = current;
            prev.next = e;
            if (v > 0) {
                upperPrev.nextSub = e;
                e.nextSub = upper;
            } else {
                e.nextSub = null;
            }
        }
    }
}
