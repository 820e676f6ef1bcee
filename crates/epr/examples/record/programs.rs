//! List programs with one loop, as text; see `text` for the language.

use crate::text::{Path, Source};

const SAME: &str = "(forall v w (<=> (next v w) (next0 v w)))";

/// All of them.
pub const ALL: &[&Source] =
    &[&REVERSE, &FILTER, &SORTED_INSERT, &MERGE, &SORTED_MERGE, &BACK_LINKS];

/// `while (p) { t = p->next; p->next = q; q = p; p = t; }`
const REVERSE: Source = Source {
    name: "reverse",
    constants: "h t",
    variables: "p q",
    fields: "next next0",
    relations: "",
    order: "",
    init: &["(= p h)", "(= q null)", SAME],
    paths: &[Path {
        guard: "(and (!= p null) (succ next p t))",
        stores: &[("next", "p", "q")],
        assigns: &[("q", "p"), ("p", "t")],
    }],
    bad: &[
        Path {
            guard: "(and (= p null) (exists v w (and (!= v null) (!= w null) (next0 h v) (next0 v w) \
                (not (next w v)))))",
            stores: &[],
            assigns: &[],
        },
        Path {
            guard: "(and (= p null) (exists v (and (!= v null) (not (<=> (next0 h v) (next q v))))))",
            stores: &[],
            assigns: &[],
        },
    ],
};

/// Removes the nodes with property C; j is the last one kept.
const FILTER: Source = Source {
    name: "filter",
    constants: "h0 t",
    variables: "h i j",
    fields: "next next0",
    relations: "C",
    order: "",
    init: &["(= h h0)", "(= i h)", "(= j null)", SAME],
    paths: &[
        Path {
            guard: "(and (!= i null) (succ next i t) (C i) (= j null))",
            stores: &[],
            assigns: &[("h", "t"), ("i", "t")],
        },
        Path {
            guard: "(and (!= i null) (succ next i t) (C i) (!= j null))",
            stores: &[("next", "j", "t")],
            assigns: &[("i", "t")],
        },
        Path {
            guard: "(and (!= i null) (succ next i t) (not (C i)))",
            stores: &[],
            assigns: &[("j", "i"), ("i", "t")],
        },
    ],
    bad: &[
        Path {
            guard: "(and (= i null) (exists v (and (!= v null) (next h v) (C v))))",
            stores: &[],
            assigns: &[],
        },
        Path {
            guard: "(and (= i null) (exists v (and (!= v null) (next0 h0 v) (not (C v)) \
                    (not (next h v)))))",
            stores: &[],
            assigns: &[],
        },
        Path {
            guard: "(and (= i null) (exists v w (and (next h v) (next v w) (not (next0 v w)))))",
            stores: &[],
            assigns: &[],
        },
    ],
};

/// Finds the place of e in a sorted list, then links it there.
const SORTED_INSERT: Source = Source {
    name: "sorted-insert",
    constants: "h0 e t",
    variables: "h i j",
    fields: "next next0",
    relations: "",
    order: "dle",
    init: &[
        "(= h h0)",
        "(= i h)",
        "(= j null)",
        "(!= e null)",
        "(not (next h e))",
        "(forall v w (=> (and (!= w null) (next h v) (next v w)) (dle v w)))",
        "(forall v (=> (and (!= v null) (next e v)) (= v e)))",
        SAME,
    ],
    paths: &[Path {
        guard: "(and (!= i null) (succ next i t) (not (dle e i)))",
        stores: &[],
        assigns: &[("j", "i"), ("i", "t")],
    }],
    bad: &[
        Path {
            guard: "(and (or (= i null) (dle e i)) (!= j null) (exists v w (and (!= w null) \
                    (next h v) (next v w) (not (dle v w)))))",
            stores: &[("next", "e", "i"), ("next", "j", "e")],
            assigns: &[],
        },
        Path {
            guard: "(and (or (= i null) (dle e i)) (= j null) (exists v w (and (!= w null) \
                    (next h v) (next v w) (not (dle v w)))))",
            stores: &[("next", "e", "i")],
            assigns: &[("h", "e")],
        },
        Path {
            guard: "(and (or (= i null) (dle e i)) (!= j null) (exists v (and (!= v null) \
                    (not (<=> (next h v) (or (= v e) (next0 h0 v)))))))",
            stores: &[("next", "e", "i"), ("next", "j", "e")],
            assigns: &[],
        },
    ],
};

/// Two disjoint lists into one, alternating as the property C of the first node says.
const MERGE: Source = Source {
    name: "merge",
    constants: "p0 q0 t",
    variables: "p q r l",
    fields: "next next0",
    relations: "C",
    order: "",
    init: &[
        "(= p p0)",
        "(= q q0)",
        "(= r null)",
        "(= l null)",
        "(forall v (=> (and (next p v) (next q v)) (= v null)))",
        SAME,
    ],
    paths: &[
        Path {
            guard: "(and (!= p null) (C p) (= r null) (succ next p t))",
            stores: &[],
            assigns: &[("r", "p"), ("l", "p"), ("p", "t")],
        },
        Path {
            guard: "(and (!= p null) (C p) (!= r null) (succ next p t))",
            stores: &[("next", "l", "p")],
            assigns: &[("l", "p"), ("p", "t")],
        },
        Path {
            guard: "(and (!= p null) (not (C p)) (!= q null) (= r null) (succ next q t))",
            stores: &[],
            assigns: &[("r", "q"), ("l", "q"), ("q", "t")],
        },
        Path {
            guard: "(and (!= p null) (not (C p)) (!= q null) (!= r null) (succ next q t))",
            stores: &[("next", "l", "q")],
            assigns: &[("l", "q"), ("q", "t")],
        },
    ],
    bad: &[
        Path {
            guard: "(and (= p null) (!= r null) (exists v (and (!= v null) (next0 p0 v) \
                    (not (next r v)))))",
            stores: &[("next", "l", "q")],
            assigns: &[],
        },
        Path { guard: "(and (!= r null) (= l null))", stores: &[], assigns: &[] },
        Path {
            guard: "(exists v (and (!= v null) (next0 q0 v) (not (next q v)) (not (next r v))))",
            stores: &[],
            assigns: &[],
        },
    ],
};

/// Two sorted lists into one.
const SORTED_MERGE: Source = Source {
    name: "sorted-merge",
    constants: "p0 q0 t",
    variables: "p q r l",
    fields: "next next0",
    relations: "",
    order: "dle",
    init: &[
        "(= p p0)",
        "(= q q0)",
        "(= r null)",
        "(= l null)",
        "(forall v (=> (and (next p v) (next q v)) (= v null)))",
        "(forall v w (=> (and (!= w null) (next p v) (next v w)) (dle v w)))",
        "(forall v w (=> (and (!= w null) (next q v) (next v w)) (dle v w)))",
        SAME,
    ],
    paths: &[
        Path {
            guard: "(and (!= p null) (!= q null) (dle p q) (= r null) (succ next p t))",
            stores: &[],
            assigns: &[("r", "p"), ("l", "p"), ("p", "t")],
        },
        Path {
            guard: "(and (!= p null) (!= q null) (dle p q) (!= r null) (succ next p t))",
            stores: &[("next", "l", "p")],
            assigns: &[("l", "p"), ("p", "t")],
        },
        Path {
            guard: "(and (!= p null) (!= q null) (not (dle p q)) (= r null) (succ next q t))",
            stores: &[],
            assigns: &[("r", "q"), ("l", "q"), ("q", "t")],
        },
        Path {
            guard: "(and (!= p null) (!= q null) (not (dle p q)) (!= r null) (succ next q t))",
            stores: &[("next", "l", "q")],
            assigns: &[("l", "q"), ("q", "t")],
        },
    ],
    bad: &[
        Path { guard: "(and (!= r null) (= l null))", stores: &[], assigns: &[] },
        Path {
            guard: "(and (!= l null) (= p null) (exists v w (and (!= w null) \
                    (next r v) (next v w) (not (dle v w)))))",
            stores: &[("next", "l", "q")],
            assigns: &[],
        },
    ],
};

/// `while (i) { i->prev = j; j = i; i = i->next; }`
const BACK_LINKS: Source = Source {
    name: "back-links",
    constants: "h t",
    variables: "i j",
    fields: "next prev",
    relations: "",
    order: "",
    init: &["(= i h)", "(= j null)", "(forall v w (=> (prev v w) (or (= v w) (= w null))))"],
    paths: &[Path {
        guard: "(and (!= i null) (succ next i t))",
        stores: &[("prev", "i", "j")],
        assigns: &[("j", "i"), ("i", "t")],
    }],
    bad: &[
        Path {
            guard: "(and (= i null) (exists v w (and (!= v null) (!= w null) (next h v) \
                    (next h w) (not (<=> (next v w) (prev w v))))))",
            stores: &[],
            assigns: &[],
        },
        Path { guard: "(and (!= i null) (prev j i))", stores: &[], assigns: &[] },
    ],
};
