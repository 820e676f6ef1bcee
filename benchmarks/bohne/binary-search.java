// Binary search; the sum of two indices must not overflow.
// test: --objects 1 --int-values 0,1,2
// expect: Search.find safe

class Search {
    public static int find(int[] a, int x)
    /*: requires "a ~= null &
                  (ALL i j. 0 <= i & i < j & j < a..Array.length --> a.[i] <= (a.[j] :: int))"
        ensures "(result = -1 --> (ALL i. 0 <= i & i < a..Array.length --> a.[i] ~= x)) &
                 (result ~= -1 --> 0 <= result & result < a..Array.length & a.[result] = x)" */
    {
        int low = 0;
        int high = a.length;
        while /*: inv "0 <= low & low <= high & high <= a..Array.length &
                       (ALL i. 0 <= i & i < low --> a.[i] < x) &
                       (ALL i. high <= i & i < a..Array.length --> x < a.[i])" */
            (low < high) {
            int middle = low + (high - low) / 2;
            if (a[middle] == x) {
                return middle;
            }
            if (a[middle] < x) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1;
    }
}
