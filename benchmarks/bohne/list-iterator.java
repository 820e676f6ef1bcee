// An iterator over a list: what was visited and what is to come make up the list.
// test: --objects 3
// expect: ListIterator.start safe
// expect: ListIterator.hasNext safe
// expect: ListIterator.advance safe

class Node {
    public /*: claimedby ListIterator */ Node next;
    public Object data;
}

class ListIterator {
    private static Node first;
    private static Node position;

    /*:
      public static specvar content :: objset;
      private vardefs "content == {x. x ~= null & (first, x) : {(u, v). u..Node.next = v}^*}";
      public static specvar toCome :: objset;
      private vardefs "toCome == {x. x ~= null & (position, x) : {(u, v). u..Node.next = v}^*}";

      invariant "tree [Node.next]";
      invariant inside: "toCome <= content";
    */

    public static void start()
    /*: modifies toCome
        ensures "toCome = content" */
    {
        position = first;
    }

    public static boolean hasNext()
    /*: ensures "result = (toCome ~= {})" */
    {
        return position != null;
    }

    public static Object advance()
    /*: requires "toCome ~= {}"
        modifies toCome
        ensures "toCome \<subset> old toCome &
                 (EX n. n : old toCome & n ~: toCome & result = n..data)" */
    {
        Object found = position.data;
        position = position.next;
        return found;
    }
}
