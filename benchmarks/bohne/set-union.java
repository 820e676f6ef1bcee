// All nodes of one list are put into another one.
// test: --objects 4
// expect: Sets.union safe

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
        while /*: inv "inA Un inB = old (inA Un inB)" */
              /*: inv "inA Int inB = {} & tree [next] & (a = null | (ALL n. n..next ~= a)) &
                       (b = null | (ALL n. n..next ~= b))" */
            (b != null) {
            Node n = b;
            b = b.next;
            n.next = a;
            a = n;
        }
    }
}
