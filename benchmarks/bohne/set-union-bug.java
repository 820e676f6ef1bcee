// A buggy twin of set-union.java: the rest of the second list is lost.
// test: --objects 4
// expect: Sets.union violated loop-invariant

class Node {
    public /*: claimedby Sets */ Node next;
}

class Sets {
    private static Node a, b;

    /*:
      public static specvar inA :: objset;
      vardefs "inA == {x. x ~= null & (a, x) : {(u, v). u..next = v}^*}";
      public static specvar inB :: objset;
      vardefs "inB == {x. x ~= null & (b, x) : {(u, v). u..next = v}^*}";

      invariant "tree [next]";
      invariant roots: "(a = null | (ALL n. n..next ~= a)) & (b = null | (ALL n. n..next ~= b))";
      invariant disjoint: "inA Int inB = {}";
    */

    public static void union()
    /*: modifies inA, inB
        ensures "inA = old (inA Un inB) & inB = {}" */
    {
        while /*: inv "inA Un inB = old (inA Un inB)" */ // BUG
              /*: inv "inA Int inB = {} & tree [next] & (a = null | (ALL n. n..next ~= a)) &
                       (b = null | (ALL n. n..next ~= b))" */
            (b != null) {
            Node n = b;
            n.next = a;
            b = b.next;
            a = n;
        }
    }
}
