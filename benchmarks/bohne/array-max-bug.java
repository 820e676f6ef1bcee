// A buggy twin of array-max.java: one element too few.
// test: --objects 2 --int-values 0,1,2
// expect: Arrays.copy violated negative-size

class Arrays {
    public static int indexOfMax(int[] a)
    /*: requires "a ~= null & a..Array.length > 0"
        ensures "0 <= result & result < a..Array.length &
                 (ALL i. 0 <= i & i < a..Array.length --> a.[i] <= (a.[result] :: int))" */
    {
        int best = 0;
        for (int i = 1; i < a.length; i++) {
            if (a[best] < a[i]) {
                best = i;
            }
        }
        return best;
    }

    public static int max(int[] a)
    /*: requires "a ~= null & a..Array.length > 0"
        ensures "EX i. 0 <= i & i < a..Array.length & result = a.[i]" */
    {
        return a[indexOfMax(a)];
    }

    public static int[] copy(int[] a, int n)
    /*: requires "a ~= null & 0 <= n & n <= a..Array.length"
        ensures "result ~= null & result ~= a & result..Array.length = n &
                 (ALL i. 0 <= i & i < n --> result.[i] = (old (a.[i]) :: int))" */
    {
        int[] b = new int[n - 1]; // BUG
        int i = 0;
        while (i < n) {
            b[i] = a[i];
            i++;
        }
        return b;
    }
}
