// A buggy twin of parent-tree-remove-leaf.java: the leaf still points to its parent.
// test: --objects 3
// expect: Tree.removeLeaf violated postcondition

class Node {
    Node left, right, parent;
}

class Tree {
    private static Node root;

    /*:
      public static specvar content :: objset;
      vardefs "content ==
          {x. x ~= null & (root, x) : {(u, v). u..left = v | u..right = v}^*}";

      invariant "ptree parent [left, right]";
      invariant "root = null | parent root = null";
      invariant "ALL x. x ~= null & x ~: content --> left x = null & right x = null";
    */

    public static void removeLeaf(Node n)
    /*: requires "n : content & n..left = null & n..right = null"
        modifies content
        ensures "content = old content - {n}"
    */
    {
        if (n == root) {
            root = null;
        } else {
            Node p = n.parent;
            if (p.left == n) {
                p.left = null;
            } else {
                p.right = null;
            }
        }
    } // BUG

    public static int height(Node n)
    /*: requires "n : content"
        ensures "result >= 0 & (n = root --> result = 0)" */
    {
        int steps = 0;
        Node up = n;
        while /*: inv "up : content & steps >= 0 & (n = root --> up = root & steps = 0)" */
            (up != root) {
            up = up.parent;
            steps = steps + 1;
        }
        return steps;
    }
}
