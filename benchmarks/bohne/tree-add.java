// Symbolic Shape Analysis, Figure 9: Tree.add. A node becomes a leaf of a global binary tree.
// expect: Tree.add safe

final class Node {
    public /*: claimedby Tree */ Node left;
    public /*: claimedby Tree */ Node right;
    public /*: claimedby Tree */ int v;
}

class Tree {
    private static Node root;

    /*:
      public static specvar content :: objset;
      private vardefs "content ==
          {x. x ~= null & rtrancl_pt (% x y. x..Node.left = y | x..Node.right = y) root x}";

      invariant "tree [Node.left, Node.right]";

      invariant "root = null | (ALL n. n..Node.left ~= root & n..Node.right ~= root)";

      invariant "ALL x y. x ~= null & y ~= null & (x..Node.right = y | x..Node.left = y)
                   --> y : content";
    */

    public static void add(Node e, int v)
    /*: requires "e ~= null & e ~: content & e..left = null & e..right = null"
        modifies content
        ensures "content = old content Un {e}";
    */
    {
        Node n = root, p = null;
        boolean wentLeft = false;
        while (n != null) {
            p = n;
            if (v < n.v) {
                wentLeft = true;
                n = n.left;
            } else {
                wentLeft = false;
                n = n.right;
            }
        }
        e.v = v;
        if (p == null) {
            root = e;
        } else {
            if (wentLeft) {
                p.left = e;
            } else {
                p.right = e;
            }
        }
    }
}
