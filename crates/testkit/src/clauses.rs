//! Which constructs of contracts an engine for lists follows: every formula of a list is asserted
//! and promised in small procedures, which the engine and exploration judge. What exploration
//! refutes must not be proved. Used by the tests of every such engine, which keep the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use trellis_explore::{Config, Outcome, Progress, explore};
use trellis_front_c::load_str;
use trellis_program::{CheckKind, CheckSet, ProcId, Program};

use crate::constructs::{self, Names};

/// Formulas about `struct node *x`, `struct node *y`, `int k` and `unsigned long u`; together they
/// have every construct that can stand in an assertion.
const FORMULAS: &[&str] = &[
    "\\true",
    "\\false",
    "!(x == y)",
    "x == y && x != \\null",
    "x == \\null || y == \\null",
    "x != \\null ==> y != \\null",
    "x == \\null <==> y == \\null",
    "k == 3",
    "k != 3",
    "k < 3",
    "k <= 3",
    "k > -1",
    "k >= 3",
    "u == 3",
    "u != 3",
    "u < 3",
    "u <= 3",
    "u > 3",
    "u >= 3",
    "\\in(y, content(n, x))",
    "\\subset(content(n, y), content(n, x))",
    "\\forall struct node *p; reach(n, x, p) ==> p == \\null",
    "\\exists struct node *p; p != \\null && reach(n, x, p) && reach(n, y, p)",
    "\\forall int j; k != j || j < 3",
    "\\exists int j; k == j && j < 3",
    "reach(n, x, y)",
    "reach1(n, x, y)",
    "reach1(n, x, x)",
    "reach1(n, x, \\null)",
    "reach(n, x->n, y)",
    "\\at(x == y, Here)",
    "\\at(x, Here) == y",
    "alloc(x->n)",
    "\\valid(&x->data)",
    "ls(n, x, y)",
    "stable(n, x)",
    "rev(n, n, x, y)",
    "sorted(n, data, x, \\null)",
    "cyclic(n, x)",
    "alloc(x)",
    "\\valid(x)",
    "\\separated(x, y)",
    "P(x)",
    "ends(x)",
    "near(x, y)",
    "\\old(reach(n, x, y))",
    "\\old(\\at(reach(n, x, y), Here))",
    "\\old(\\at(x->n, Here) == y)",
    "x->n == y",
    "x->n->n == \\null",
    "x->n != \\old(x->n)",
    "x->data == 3",
    "x->u < 3",
    "&x->data == &y->data",
    "x + k == y",
    "x == &g",
    "-k == 3",
    "k + 1 == 3",
    "k - 1 == 3",
    "k * 2 == 4",
    "k / 2 == 1",
    "k % 2 == 1",
    "(k == 0 ? x : y) == y",
    "(x == y ? x : y) == y",
    "(x == \\null ? y : x) == x",
    "\\old(\\at(x, Here) == \\at(y, Here))",
    "3 == 3 && 3 != 4",
    "3 < 4 && 3 <= 3",
    "4 > 3 && 4 >= 4",
    "4 < 3 || 4 <= 3",
    "3 > 4 || 3 >= 4",
    "-(3) < 3 && 1 + 2 == 3 && 1 - 2 < 0 && 2 * 3 == 6",
    "18446744073709551615 > 1",
    "u > 3 || x == x",
    "(x == y ? 0 : k) == 0",
    "(x == y ? content(n, x) : \\empty) == content(n, y)",
    "content(n, x) == content(n, y)",
    "content(n, x) != \\empty",
    "content(n, x) == \\set(x)",
    "\\union(content(n, x), \\set(y)) == content(n, x)",
    "\\inter(content(n, x), content(n, y)) == \\empty",
    "\\diff(content(n, x), \\set(x)) == content(n, y)",
    "\\old(x) == x",
];

/// Clauses that stand in contracts only, and bodies that keep them and that do not.
const CONTRACTS: &[&str] = &[
    "ensures \\result == x; */ struct node *f(struct node *x, struct node *y) { return x;",
    "ensures \\result == x; */ struct node *f(struct node *x, struct node *y) { return y;",
    "ensures \\result >= 3; */ int f(struct node *x, int k) { return k;",
    "assigns \\nothing; */ void f(struct node *x) { while (x) x = x->n;",
    "assigns \\nothing; */ void f(struct node *x) { if (x) x->n = 0;",
    "assigns x->n; */ void f(struct node *x) { if (x) x->n = 0;",
    "assigns x->n; */ void f(struct node *x, struct node *y) { if (y) y->n = 0;",
    "assigns count; */ void f(struct node *x) { count = 1;",
    "assigns count; */ void f(struct node *x) { if (x) x->n = 0;",
    "assigns { p->n | struct node *p; reach(n, x, p) }; */ void f(struct node *x) { if (x) x->n = 0;",
];

const HEAD: &str = "struct node { struct node *n; int data; unsigned long u; };\n\
    void *malloc(unsigned long); void free(void *); int nondet(void);\n\
    //@ predicate P(struct node *p);\n\
    //@ predicate ends(struct node *p) = p != \\null && p->n == \\null;\n\
    //@ predicate near(struct node *p, struct node *q) = p == q || reach(n, p, q);\n";

/// What is known of the heap.
const HEAPS: &[&str] = &[
    "reach(n, x, \\null) && reach(n, y, \\null)",
    "x != \\null && x->n == \\null && (y == x || y == \\null)",
    "x != \\null && cyclic(n, x) && y == x",
];

/// What happens before the formula is looked at.
const BODIES: &[&str] = &[
    "",
    "if (x) x->n = 0;",
    "x = malloc(sizeof *x); x->n = 0; x->data = 3; x->u = 4; y = x;",
    "while (x && nondet()) x = x->n;",
    "if (x) free(x);",
];

fn programs(formula: &str) -> Vec<String> {
    let mut out = Vec::new();
    let globals = if formula.contains("&g") { "struct node g;\n" } else { "" };
    let signature = "void f(struct node *x, struct node *y, int k, unsigned long u)";
    for heap in HEAPS {
        for body in BODIES {
            let mut requires = vec![(*heap).to_owned()];
            if !formula.contains("\\old") {
                requires.push(format!("{heap} && ({formula})"));
            }
            for requires in requires {
                out.push(format!(
                    "{HEAD}{globals}/*@ requires {requires}; */\n{signature} {{ {body}\n/*@ assert {formula}; */\n; }}\n"
                ));
                out.push(format!(
                    "{HEAD}{globals}/*@ requires {requires}; ensures {formula}; */\n{signature} {{ {body} }}\n"
                ));
            }
        }
    }
    out
}

/// How an engine followed a construct.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// It stands in something that is proved, and that exploration does not refute.
    Proved,
    /// It stands in something that exploration refutes, and the engine gives an alarm.
    Alarm,
}

/// The constructs that were followed.
pub struct Table {
    ways: BTreeMap<&'static str, BTreeSet<Way>>,
    /// The constructs of programs for which the engine refuses nothing.
    accepted: Names,
}

/// What the engine says of a procedure: that it is safe, `alarm: …`, or why it is refused.
pub type Judge<'a> = &'a dyn Fn(&Program, ProcId, CheckSet) -> Result<(), String>;

/// Judges all programs.
pub fn survey(judge: Judge<'_>) -> Table {
    let mut table = Table { ways: BTreeMap::new(), accepted: Names::new() };
    for formula in FORMULAS {
        let programs = programs(formula);
        let (first, rest) = programs.split_at(2);
        // As an assertion and as a promise; where neither is followed, nothing is.
        let accepted = first.iter().filter(|text| table.judge(text, judge)).count();
        if accepted > 0 {
            rest.iter().for_each(|text| _ = table.judge(text, judge));
        }
    }
    for contract in CONTRACTS {
        let text = format!("{HEAD}int count;\n/*@ requires reach(n, x, \\null); {contract} }}\n");
        table.judge(&text, judge);
    }
    table
}

impl Table {
    /// The constructs that were accepted without being followed in any way.
    pub fn unseen(&self) -> Vec<&'static str> {
        let unseen = |name: &&&str| !self.ways.contains_key(**name);
        self.accepted.iter().filter(unseen).copied().collect()
    }

    /// Judges one program; `false` if the engine refuses it.
    fn judge(&mut self, text: &str, judge: Judge<'_>) -> bool {
        let unit =
            load_str("clause.c", text).unwrap_or_else(|e| panic!("{text}\n{:?}", e.diagnostics));
        let proc = unit.program.find_proc("f").expect("f");
        let mut checks = CheckSet::default();
        checks.set(CheckKind::Leak, false);
        let verdict = judge(&unit.program, proc, checks);
        if verdict.as_ref().is_err_and(|why| !why.starts_with("alarm")) {
            return false;
        }
        let config = Config { objects: 3, steps: 60, choices: 6, checks, ..Config::default() };
        let explored = explore(&unit.program, proc, &config, &Progress::default()).outcome;
        let refuted = matches!(explored, Outcome::Violated(_));
        assert!(!refuted || verdict.is_err(), "proved, but refuted by exploration:\n{text}");
        let names = constructs::of_procedure(&unit.program, proc);
        self.accepted.extend(&names);
        let way = match (&verdict, refuted) {
            (Ok(()), _) => Way::Proved,
            (Err(_), true) => Way::Alarm,
            (Err(_), false) => return true,
        };
        for name in names {
            self.ways.entry(name).or_default().insert(way);
        }
        true
    }
}

/// Which constructs a recorded table does not call proved.
pub fn beyond(table: &str, names: &Names) -> Vec<&'static str> {
    let proved = |name: &&str| {
        let mut lines = table.lines();
        lines.any(|l| l.rsplit_once(": ").is_some_and(|(n, w)| n == *name && w.contains("proved")))
    };
    names.iter().copied().filter(|name| !proved(name)).collect()
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in constructs::ALL {
            let ways = self.ways.get(name).into_iter().flatten();
            let ways = ways.map(|way| match way {
                Way::Proved => "proved",
                Way::Alarm => "alarm",
            });
            let ways: Vec<&str> = ways.collect();
            let text = match (ways.is_empty(), self.accepted.contains(name)) {
                (false, _) => ways.join(", "),
                (true, true) => "accepted".into(),
                (true, false) => "refused".into(),
            };
            writeln!(f, "{name}: {text}")?;
        }
        Ok(())
    }
}
