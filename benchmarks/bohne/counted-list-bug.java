// A buggy twin of counted-list.java: nobody counts.
// test: --objects 3
// expect: CountedList.remove violated postcondition

class Node {
    public Node next;
}

class CountedList {
    private static Node first;
    private static int size;

    /*:
      public static specvar content :: objset;
      private vardefs "content == {x. x ~= null & (first, x) : {(u, v). u..next = v}^*}";
      public static ghost specvar changes :: int = "0";

      invariant "tree [next]";
      invariant "first = null | (ALL n. n..next ~= first)";
      invariant counted: "size = card content";
    */

    public static void add()
    /*: modifies content, changes
        ensures "card content = card (old content) + 1 & changes = old changes + 1" */
    {
        Node n = new Node();
        n.next = first;
        first = n;
        size = size + 1;
        //: changes := "changes + 1";
        //: noteThat "content = old content Un {n}";
        //: noteThat "theinv counted";
    }

    public static void remove(Node n)
    /*: requires "n : content"
        modifies content, changes
        ensures "content = old content - {n} & changes > old changes" */
    {
        if (n == first) {
            first = n.next;
        } else {
            Node before = first;
            while (before.next != n) {
                before = before.next;
            }
            before.next = n.next;
        }
        n.next = null;
        //: changes := "changes + 1";
    } // BUG

    public static boolean isEmpty()
    /*: ensures "result = (content = {})" */
    {
        return size == 0;
    }
}
