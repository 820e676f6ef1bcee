// Symbolic Shape Analysis, Figure 9: DLL.addLast. A global list with back pointers; a node that is not in it is
// put at its end.
// expect: DLL.addLast safe

class Node {
    public /*: claimedby DLL */ Node next;
    public /*: claimedby DLL */ Node prev;
}

class DLL {
    private static Node first;

    /*:
      public static specvar content :: objset;
      private vardefs "content == {x. x ~= null & (first, x) : {(u, v). u..Node.next = v}^*}";

      invariant forest: "tree [Node.next]";

      invariant firstIsFirst: "first = null | (ALL n. n..Node.next ~= first)";

      // Nobody outside of the list points into it, or to anything else.
      invariant closed: "ALL x y. x ~= null & y ~= null & x..Node.next = y --> y : content";

      // Back pointers are a field constraint: where there is a predecessor, prev is it.
      invariant back: "ALL x y. Node.prev x = y -->
          (x ~= null & (EX z. Node.next z = x) --> Node.next y = x) &
          ((x = null | (ALL z. Node.next z ~= x)) --> y = null)";
    */

    public static void addLast(Node n)
    /*: requires "n ~= null & n ~: content"
        modifies content
        ensures "content = old content Un {n}"
    */
    {
        if (first == null) {
            first = n;
            n.next = null;
            n.prev = null;
            return;
        }
        Node last = first;
        while (last.next != null) {
            last = last.next;
        }
        last.next = n;
        n.prev = last;
    }
}
