// A buggy twin of priority-list.java: the wrong node is cut off, and it may not be there.
// test: --objects 3
// expect: PriorityList.removeMax violated null-deref

class Task {
    public int priority;
    public Task next;
}

class PriorityList {
    private static Task head;

    /*:
      public static specvar content :: objset;
      private vardefs "content == {t. t ~= null & (head, t) : {(x, y). x..Task.next = y}^*}";

      invariant "tree [Task.next]";
      invariant "head = null | (ALL t. t..Task.next ~= head)";
      invariant "ALL t. t ~= null & t..next ~= null --> t..next : content";
      invariant "ALL t. t : content & t..next ~= null --> t..next..priority <= t..priority";
    */

    public static void insert(Task t)
    /*: requires "t ~= null & t ~: content"
        modifies content
        ensures "content = old content Un {t}" */
    {
        if (head == null || head.priority <= t.priority) {
            t.next = head;
            head = t;
            return;
        }
        Task at = head;
        while (at.next != null && at.next.priority > t.priority) {
            at = at.next;
        }
        t.next = at.next;
        at.next = t;
    }

    public static Task removeMax()
    /*: requires "content ~= {}"
        modifies content
        ensures "result : old content & content = old content - {result} &
                 (ALL t. t : content --> t..priority <= result..priority)" */
    {
        Task max = head;
        head = max.next;
        head.next = null; // BUG
        return max;
    }
}
