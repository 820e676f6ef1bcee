// A buggy twin of skiplist3.java: the second level goes too far.
// test: --objects 3
// expect: Skiplist3.find violated postcondition

class Node {
    public int key;
    public Node next0, next1, next2;
}

class Skiplist3 {
    private static Node head;

    /*:
      public static specvar content :: objset;
      vardefs "content == {x. x ~= null & (head, x) : {(u, v). u..next0 = v}^*}";

      invariant "tree [next0]";
      invariant "head = null | (ALL n. n..next0 ~= head)";
      invariant level1: "ALL x y. next1 x = y -->
          (x = null --> y = null) & (x ~= null --> (next0 x, y) : {(u, v). u..next0 = v}^*)";
      invariant level2: "ALL x y. next2 x = y -->
          (x = null --> y = null) & (x ~= null --> (next1 x, y) : {(u, v). u..next1 = v}^*)";
      invariant sorted: "ALL x. x : content & x..next0 ~= null --> x..key <= x..next0..key";
      invariant outside: "ALL x. x ~= null & x ~: content --> x..next0 = null & x..next1 = null &
          x..next2 = null & (ALL y. y..next0 ~= x)";
    */

    public static Node find(int key)
    /*: ensures "(result ~= null --> result : content & result..key = key) &
                 (result = null --> (ALL x. x : content --> x..key ~= key))" */
    {
        Node at = head;
        if (at == null) {
            return null; // BUG
        }
        while (at.next2 != null && at.next2.key < key) {
            at = at.next2;
        }
        while (at.next1 != null && at.next1.key <= key + 1) {
            at = at.next1;
        }
        while (at != null && at.key < key) {
            at = at.next0;
        }
        if (at != null && at.key == key) {
            return at;
        }
        return null; // BUG
    }

    public static void addFirst(Node n)
    /*: requires "n ~= null & n ~: content & (ALL x. x : content --> n..key <= x..key)"
        modifies content
        ensures "content = old content Un {n}" */
    {
        n.next0 = head;
        n.next1 = head;
        n.next2 = head;
        head = n;
    }
}
