// A bounded stack in an array: the top is the last of the first `size` elements.
// test: --objects 3 --int-values 0,1,2,3
// expect: ArrayStack.push safe
// expect: ArrayStack.pop safe
// expect: ArrayStack.isFull safe

class ArrayStack {
    private static Object[] stack;
    private static int size;

    /*:
      invariant "stack ~= null & 0 <= size & size <= stack..Array.length";
    */

    public static boolean isFull()
    /*: ensures "result = (size = stack..Array.length)" */
    {
        return size == stack.length;
    }

    public static boolean push(Object x)
    /*: ensures "(result --> size = old size + 1 & stack.[size - 1] = x) &
                 (~result --> size = old size & size = stack..Array.length) &
                 (ALL i. 0 <= i & i < old size --> stack.[i] = old (stack.[i]))" */
    {
        if (isFull()) {
            return false;
        }
        stack[size++] = x;
        return true;
    }

    public static Object pop()
    /*: requires "0 < size"
        ensures "size = old size - 1 & result = old (stack.[size - 1]) &
                 (ALL i. 0 <= i & i < size --> stack.[i] = old (stack.[i]))" */
    {
        size = size - 1;
        Object top = stack[size];
        stack[size] = null;
        return top;
    }
}
