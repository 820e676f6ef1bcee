// Symbolic Shape Analysis, Figure 9: List.reverse. A global list is reversed in place.
// expect: List.reverse safe

class Node {
    public /*: claimedby List */ Node next;
}

class List {
    private static Node first;

    /*:
      private static specvar reach :: "obj => obj => bool";
      private vardefs "reach == (% a b. rtrancl_pt (% x y. x..Node.next = y) a b)";

      public static specvar content :: objset;
      private vardefs "content == {x. x ~= null & reach first x}";

      invariant "tree [Node.next]";
      invariant "first = null | (ALL n. n..Node.next ~= first)";
    */

    public static void reverse()
    /*: modifies content
        ensures "content = old content";
    */
    {
        /*:
          private specvar rest :: objset;
          private vardefs "rest == {x. x ~= null & reach e x}";
          private specvar done :: objset;
          private vardefs "done == {x. x ~= null & reach first x}";
        */
        Node t, e;
        e = first;
        first = null;
        while /*: inv "tree [Node.next] & rest Int done = {} & rest Un done = old content" */
            (e != null) {
            //: track(rest); track(done);
            t = first;
            first = e;
            e = e.next;
            first.next = t;
        }
    }
}
