// A buggy twin of array-reverse.java: the second end begins behind the array.
// test: --objects 1 --int-values 0,1,2
// expect: Reverse.reverse violated bounds

class Reverse {
    public static void reverse(int[] a)
    /*: requires "a ~= null"
        ensures "ALL i. 0 <= i & i < a..Array.length -->
                   a.[i] = (old (a.[a..Array.length - 1 - i]) :: int)" */
    {
        int i = 0;
        int j = a.length;
        while /*: inv "0 <= i & i + j = a..Array.length & i <= j + 1 &
                       (ALL k. 0 <= k & k < i -->
                          a.[k] = (old (a.[a..Array.length - 1 - k]) :: int)) &
                       (ALL k. j < k & k < a..Array.length -->
                          a.[k] = (old (a.[a..Array.length - 1 - k]) :: int)) &
                       (ALL k. i <= k & k < j --> a.[k] = (old (a.[k]) :: int))" */
            (i < j) {
            int t = a[i];
            a[i] = a[j]; // BUG
            a[j] = t;
            i++;
            j--;
        }
    }
}
