// A buggy twin of array-queue.java: the place behind the tail is written.
// test: --objects 3 --int-values 0,1,2,3
// expect: ArrayQueue.enqueue violated bounds

class ArrayQueue {
    private static Object[] ring;
    private static int head;
    private static int tail;
    private static int count;

    /*:
      invariant "ring ~= null & 0 <= head & head < ring..Array.length &
                 0 <= tail & tail < ring..Array.length &
                 0 <= count & count <= ring..Array.length";
      invariant "tail = head + count | tail = head + count - ring..Array.length";
    */

    public static boolean enqueue(Object x)
    /*: ensures "(result --> count = old count + 1 & ring.[old tail] = x &
                    (ALL i. 0 <= i & i < ring..Array.length & i ~= old tail -->
                       ring.[i] = old (ring.[i]))) &
                 (~result --> count = old count & count = ring..Array.length)" */
    {
        if (count == ring.length) {
            return false;
        }
        ring[tail + 1] = x; // BUG
        tail = tail + 1;
        if (tail == ring.length) {
            tail = 0;
        }
        count++;
        return true;
    }

    public static Object dequeue()
    /*: requires "0 < count"
        ensures "count = old count - 1 & result = old (ring.[head]) & tail = old tail" */
    {
        Object x = ring[head];
        ring[head] = null;
        head++;
        if (head == ring.length) {
            head = 0;
        }
        count--;
        return x;
    }
}
