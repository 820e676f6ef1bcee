// A map as a list of pairs: no key occurs twice.
// test: --objects 3
// expect: Map.put safe
// expect: Map.get safe
// expect: Map.isKey safe

class Pair {
    public /*: claimedby Map */ Object key;
    public /*: claimedby Map */ Object value;
    public /*: claimedby Map */ Pair next;
}

class Map {
    private static Pair first;

    /*:
      private static specvar pairs :: objset;
      vardefs "pairs == {n. n ~= null & rtrancl_pt (% x y. x..Pair.next = y) first n}";

      public static specvar content :: "(obj * obj) set";
      vardefs "content == {(k, v). EX n. n : pairs & k = n..Pair.key & v = n..Pair.value}";

      invariant "tree [Pair.next]";
      invariant "first = null | (ALL n. n..Pair.next ~= first)";
      invariant "ALL m n. m : pairs & n : pairs & m..key = n..key --> m = n";
      invariant "ALL n. n : pairs --> n..key ~= null & n..value ~= null";
    */

    public static boolean isKey(Object key)
    /*: ensures "result = (EX v. (key, v) : content)" */
    {
        Pair p = first;
        while (p != null && p.key != key) {
            p = p.next;
        }
        return p != null;
    }

    public static Object get(Object key)
    /*: requires "key ~= null"
        ensures "(result ~= null --> (key, result) : content) &
                 (result = null --> (ALL v. (key, v) ~: content))" */
    {
        Pair p = first;
        while (p != null) {
            if (p.key == key) {
                return p.value;
            }
            p = p.next;
        }
        return null;
    }

    public static void put(Object key, Object value)
    /*: requires "key ~= null & value ~= null"
        modifies content
        ensures "content = {(k, v). (k, v) : old content & k ~= key} Un {(key, value)}" */
    {
        Pair p = first;
        while (p != null && p.key != key) {
            p = p.next;
        }
        if (p != null) {
            p.value = value;
        } else {
            p = new Pair();
            p.key = key;
            p.value = value;
            p.next = first;
            first = p;
        }
    }
}
