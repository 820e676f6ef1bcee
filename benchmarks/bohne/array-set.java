// A bounded set in an array: the first `size` elements.
// test: --objects 3 --int-values 0,1,2,3
// expect: ArraySet.ArraySet safe
// expect: ArraySet.add safe
// expect: ArraySet.contains safe
// expect: ArraySet.removeLast safe

class ArraySet {
    private Object[] elements;
    private int size;

    /*:
      public specvar content :: objset;
      vardefs "content == {x. EX i. 0 <= i & i < size & x = elements.[i]}";

      invariant "elements ~= null & 0 <= size & size <= elements..length";
      invariant "ALL i j. 0 <= i & i < j & j < size --> elements.[i] ~= elements.[j]";
      invariant notShared: "ALL s t. s : ArraySet & t : ArraySet & s ~= null & t ~= null &
                              s..elements = t..elements --> s = t";
    */

    public ArraySet(int capacity)
    /*: requires "0 <= capacity"
        ensures "content = {}" */
    {
        elements = new Object[capacity];
        size = 0;
    }

    public boolean contains(Object x)
    /*: ensures "result = (x : content)" */
    {
        int i = 0;
        while /*: inv "0 <= i & i <= size & (ALL j. 0 <= j & j < i --> elements.[j] ~= x)" */
            (i < size) {
            if (elements[i] == x) {
                return true;
            }
            i = i + 1;
        }
        return false;
    }

    public boolean add(Object x)
    /*: requires "x ~: content"
        ensures "(result --> content = old content Un {x}) &
                 (~result --> content = old content & old size = elements..length)" */
    {
        if (size == elements.length) {
            return false;
        }
        elements[size] = x;
        size++;
        return true;
    }

    public Object removeLast()
    /*: requires "size > 0"
        ensures "content = old content - {result} & result : old content" */
    {
        size--;
        Object last = elements[size];
        elements[size] = null;
        return last;
    }
}
