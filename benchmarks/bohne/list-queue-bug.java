// A buggy twin of list-queue.java: the last node is still the last one of the empty queue.
// test: --objects 3
// expect: Queue.dequeue violated postcondition

class Node {
    public Node next;
}

class Queue {
    private static Node front;
    private static Node back;

    /*:
      public static specvar content :: objset;
      vardefs "content == {x. x ~= null & (front, x) : {(u, v). u..next = v}^*}";

      invariant "tree [next]";
      invariant "front = null | (ALL n. n..next ~= front)";
      invariant "ALL x. x ~= null & x..next ~= null --> x..next : content";
      invariant last: "(front = null --> back = null) &
                       (front ~= null --> back : content & back..next = null)";
    */

    public static void enqueue(Node n)
    /*: requires "n ~= null & n ~: content & n..next = null"
        modifies content
        ensures "content = old content Un {n} & back = n" */
    {
        if (back == null) {
            front = n;
        } else {
            back.next = n;
        }
        back = n;
    }

    public static Node dequeue()
    /*: requires "content ~= {}"
        modifies content
        ensures "result = old front & content = old content - {result}" */
    {
        Node n = front;
        front = n.next;
        n.next = null;
        return n; // BUG
    }
}
