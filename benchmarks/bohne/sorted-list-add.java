// Symbolic Shape Analysis, Figures 2 and 9: SortedList.add. A node is put into a global list, which stays sorted.
// expect: SortedList.add safe

class Node {
    public int key;
    public /*: claimedby SortedList */ Node next;
}

class SortedList {
    private static Node first;

    /*:
      public static specvar content :: objset;
      vardefs "content == {v. v \<noteq> null \<and> (first, v) \<in> {(x, y). x..next = y}^*}";

      invariant treeInv: "tree [Node.next]";
      invariant firstInv: "first = null \<or> (\<forall> n. n..next \<noteq> first)";
      invariant sortedInv: "\<forall> v. v \<in> content \<and> v..next \<noteq> null
                            \<longrightarrow> v..key \<le> v..next..key";
      invariant outside: "\<forall> v. v \<noteq> null \<and> v..next \<noteq> null
                          \<longrightarrow> v..next \<in> content";
    */

    public static void add(Node n)
    /*: requires "n \<noteq> null \<and> n \<notin> content"
        modifies content
        ensures "content = old content \<union> {n}"
    */
    {
        /*:
          specvar reachCurrent :: objset;
          vardefs "reachCurrent == {v. (current, v) \<in> {(x, y). x..next = y}^*}";
          specvar before :: bool;
          vardefs "before == (prev..key \<le> n..key)";
        */
        Node prev = null;
        Node current = first;
        while ((current != null) && (current.key < n.key)) {
            //: track(reachCurrent); track(before);
            prev = current;
            current = current.next;
        }
        n.next = current;
        if (prev != null) prev.next = n;
        else first = n;
    }
}
