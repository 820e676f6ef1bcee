// Insertion into the sorted front of an array: larger elements make room, from the back.
// test: --objects 2 --int-values 0,1,2
// expect: Sorted.insert safe

class Sorted {
    private static int[] values;
    private static int size;

    /*:
      invariant "values ~= null & 0 <= size & size <= values..Array.length";
      invariant "ALL i j. 0 <= i & i < j & j < size --> values.[i] <= (values.[j] :: int)";
    */

    public static void insert(int x)
    /*: requires "size < values..Array.length"
        ensures "size = old size + 1 & (EX i. 0 <= i & i < size & values.[i] = x)" */
    {
        int i = size;
        while /*: inv "0 <= i & i <= size & size < values..Array.length &
                       (ALL k. i < k & k <= size --> x < values.[k]) &
                       (ALL k l. 0 <= k & k < l & l < i --> values.[k] <= (values.[l] :: int)) &
                       (ALL k l. 0 <= k & k < i & i < l & l <= size -->
                          values.[k] <= (values.[l] :: int)) &
                       (ALL k l. i < k & k < l & l <= size -->
                          values.[k] <= (values.[l] :: int))" */
            (0 < i && x < values[i - 1]) {
            values[i] = values[i - 1];
            i = i - 1;
        }
        values[i] = x;
        size = size + 1;
    }
}
