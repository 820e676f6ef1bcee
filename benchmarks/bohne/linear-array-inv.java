// Symbolic Shape Analysis, Figure 9: Linear.arrayInv. Two fields of every node of an array add up to its length.
// test: --objects 3 --int-values 0,1,2,3
// expect: Linear.arrayInv safe

class Node {
    public int x;
    public int y;
}

class Linear {
    private static Node[] nodes;
    private static int count;

    public static void arrayInv()
    /*: requires "nodes ~= null & nodes..Array.length = count & count > 0 &
                  (ALL k. 0 <= k & k < count --> nodes.[k] ~= null) &
                  (ALL j k. 0 <= j & j < k & k < count --> nodes.[j] ~= nodes.[k])"
        modifies "Node.x", "Node.y", "Array.arrayState"
        ensures "True";
    */
    {
        /*:
          private specvar lengths :: bool;
          private vardefs "lengths == Array.length nodes = count & count > 0";
          private specvar content :: objset;
          private vardefs "content == {n. EX j. j >= 0 & j < count & n = nodes.[j]}";
          private specvar done :: objset;
          private vardefs "done == {n. EX j. j >= 0 & j < i & n = nodes.[j]}";
          private specvar sums :: objset;
          private vardefs "sums == {n. n..Node.x + n..Node.y = count}";
          private specvar bounds :: bool;
          private vardefs "bounds == 0 <= i & i <= count";
        */
        int i = 0;
        while (i < count) {
            /*: track(lengths); track(content); track(done); track(sums); track(bounds) */
            nodes[i].x = i;
            nodes[i].y = count - i;
            i = i + 1;
        }
        //: assert "ALL (j::int). (0::int) <= j & j < count --> nodes.[j]..x + nodes.[j]..y = count";
    }
}
