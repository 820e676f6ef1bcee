// A buggy twin of list-reverse.java: the next node is read when it is too late.
// expect: List.reverse violated loop-invariant

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
        while /*: inv "tree [Node.next] & rest Int done = {} & rest Un done = old content" */ // BUG
            (e != null) {
            //: track(rest); track(done);
            t = first;
            first = e;
            first.next = t;
            e = e.next;
        }
    }
}
