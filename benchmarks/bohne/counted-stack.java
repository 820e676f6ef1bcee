// A stack over a list that knows how many elements it has: its counter is the cardinality of its
// content. The counter must not overflow, which a list can be too long for.
// test: --objects 3
// expect: CountedStack.push safe
// expect: CountedStack.pop safe
// expect: CountedStack.remove safe
// expect: CountedStack.isEmpty safe

class Node {
    public Node next;
}

class CountedStack {
    private static Node first;
    private static int size;

    /*:
      public static specvar content :: objset;
      private vardefs "content == {x. x ~= null & (first, x) : {(u, v). u..Node.next = v}^*}";

      invariant "tree [Node.next]";
      invariant "first = null | (ALL n. n..Node.next ~= first)";
      invariant counted: "size = card content";
    */

    public static void push(Node n)
    /*: requires "n ~= null & n..Node.next = null & n ~: content & (ALL m. m..Node.next ~= n) &
                  size < 2147483647"
        modifies content
        ensures "content = old content Un {n} & card content = card (old content) + 1" */
    {
        n.next = first;
        first = n;
        size = size + 1;
    }

    public static Node pop()
    /*: requires "content ~= {}"
        modifies content
        ensures "content = old content - {result} & result : old content & 0 <= size" */
    {
        Node n = first;
        first = n.next;
        n.next = null;
        size = size - 1;
        return n;
    }

    public static void remove(Node n)
    /*: requires "n : content"
        modifies content
        ensures "content = old content - {n}" */
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
        size = size - 1;
    }

    public static boolean isEmpty()
    /*: ensures "result = (content = {})" */
    {
        return size == 0;
    }
}
