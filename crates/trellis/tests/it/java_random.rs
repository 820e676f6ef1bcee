//! The proving engines against exploration, on random methods of Java with random annotations.
//!
//! What must never happen: *verified* where exploration has a counterexample, or an internal error.
//! The annotations are those that lists have in Jahob's programs (trees, contents, field constraints,
//! order), mostly with a method that keeps them, and now and then with something else.
//!
//! `TRELLIS_SLOW=1` tries 2,000 methods; with `TRELLIS_RANDOM=FROM..TO` only those of these numbers.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::time::Duration;

use trellis_driver::{
    Bohne, Budget, Engine, Explore, Options, PdrForall, Progress, Task, UnknownReason, Verdict,
    verify_procedure,
};
use trellis_program::{ProcId, Program};
use trellis_testkit::random::Random;

use crate::differential::in_parallel;

/// What may be said of the whole heap.
const INVARIANTS: &[&str] = &[
    "first = null | (ALL n. n..next ~= first)",
    "ALL x y. x ~= null & y ~= null & x..next = y --> y : content",
    "ALL x. x : content & x..next ~= null --> x..key <= x..next..key",
    "ALL x. x ~= null & x ~: content --> x..next = null",
    "ALL x. x ~= null & x..next ~= null --> x..next : content",
    "content Int others = {}",
    "ALL x y. Node.prev x = y --> (x ~= null & (EX z. Node.next z = x) --> Node.next y = x) & \
     ((x = null | (ALL z. Node.next z ~= x)) --> y = null)",
    "ALL x y. Node.prev x = y --> (x = null --> y = null) & \
     (x ~= null --> (Node.next x, y) : {(u, v). u..next = v}^*)",
    "ALL x. x : content --> x..data ~= null",
    "ALL x y. x : content & y : content & x..data = y..data --> x = y",
    "ALL x. x : content --> x..mark",
    "first = null --> second = null",
    "second : content Un {null}",
];

const REQUIRES: &[&str] = &[
    "n ~= null",
    "n ~: content",
    "n ~= null & n ~: content & n..next = null",
    "n : content",
    "content ~= {}",
    "first ~= null & second ~= null",
    "ALL x. x..next ~= n",
    "n ~= null & n ~: content & n ~: others",
    "True",
];

const ENSURES: &[&str] = &[
    "content = old content",
    "content = old content Un {n}",
    "content = old content - {n}",
    "content <= old content",
    "content Un others = old (content Un others)",
    "content = old (content Un others) & others = {}",
    "result = (content = {})",
    "result --> n : content",
    "n : content",
    "first = n",
    "first = old first",
    "ALL x. x : old content --> x..next = old (x..next)",
    "ALL x. x..data = old (x..data)",
    "EX x. x : content & x..next = null",
    "ALL x. x : content --> x..mark",
    "ALL x y. x ~= null & x..next = y & y ~= null --> y ~= n",
    "tree [Node.next]",
    "rtrancl_pt (% x y. x..Node.next = y) first n",
];

const SIMPLE: &[&str] = &[
    "n.next = first; first = n;",
    "first = n;",
    "n.next = null;",
    "n.next = first;",
    "n.next = second;",
    "n.prev = null;",
    "if (first != null) first.prev = n;",
    "second = first; first = null;",
    "if (first != null) first = first.next;",
    "Node d = first; if (d != null) { first = d.next; d.next = null; }",
    "n.mark = true;",
    "n.data = null;",
    "if (first != null && first.next != null) first.next.key = first.key;",
    "Node e = new Node(); e.next = first; first = e;",
    "second = n;",
    "if (n == first) return false;",
    "first.next = n;",
];

const LOOPS: &[&str] = &[
    "Node p = first; while (p != null && p.next != null) p = p.next; \
     if (p == null) first = n; else { p.next = n; n.prev = p; }",
    "Node p = first; while (p != null) { if (p == n) return true; p = p.next; }",
    "Node p = first; while (p != null) { p.mark = true; p = p.next; }",
    "Node q = null; while (first != null) { Node t = first; first = first.next; t.next = q; q = t; } \
     first = q;",
    "while (second != null) { Node t = second; second = second.next; t.next = first; first = t; }",
    "Node q = null; Node p = first; while (p != null && p.key < n.key) { q = p; p = p.next; } \
     n.next = p; if (q == null) first = n; else q.next = n;",
    "Node q = null; Node p = first; while (p != null && p != n) { q = p; p = p.next; } \
     if (p != null) { if (q == null) first = p.next; else q.next = p.next; p.next = null; }",
    "Node p = first; while (p != null && p.data != null) p = p.next; if (p != null) return true;",
];

/// A class with a method.
fn generate(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(7919).wrapping_add(17));
    let mut invariants = String::new();
    if random.below(100) < 92 {
        invariants.push_str("invariant \"tree [Node.next]\";\n");
    }
    for _ in 0..random.below(4) {
        let _ = writeln!(invariants, "      invariant \"{}\";", random.pick(INVARIANTS));
    }
    let mut requires = vec![random.pick(REQUIRES)];
    if random.below(3) == 0 {
        requires.push(random.pick(REQUIRES));
    }
    let mut body = String::new();
    for _ in 0..random.below(3) {
        let _ = writeln!(body, "        {{ {} }}", random.pick(SIMPLE));
    }
    if random.below(100) < 70 {
        let _ = writeln!(body, "        {{ {} }}", random.pick(LOOPS));
    }
    for _ in 0..random.below(2) {
        let _ = writeln!(body, "        {{ {} }}", random.pick(SIMPLE));
    }
    let returned = random.pick(&["true", "false", "first == null", "first == n"]);
    let modifies = ["modifies content, others", "modifies content", ""];
    // A field that nobody constrains may have cycles, which no proof gets over.
    let fields = match invariants.contains("prev") || body.contains("prev") {
        true => "next, prev",
        false => "next",
    };
    format!(
        "class Node {{
    public Node {fields};
    public int key;
    public boolean mark;
    public Object data;
}}

class List {{
    private static Node first, second;

    /*:
      public static specvar content :: objset;
      vardefs \"content == {{x. x ~= null & (first, x) : {{(u, v). u..next = v}}^*}}\";
      public static specvar others :: objset;
      vardefs \"others == {{x. x ~= null & (second, x) : {{(u, v). u..next = v}}^*}}\";
      {invariants}
    */

    public static boolean f(Node n)
    /*: requires \"{}\"
        {}
        ensures \"{}\" */
    {{
{body}        return {returned};
    }}
}}
",
        requires.join(" & "),
        random.pick(&modifies),
        random.pick(ENSURES),
    )
}

fn ask(engine: &dyn Engine, program: &Program, proc: ProcId, time: Duration) -> Verdict {
    let options = Options { objects: 3, steps: 200, choices: 6, ..Options::default() };
    let options = options.of_language(program);
    let task = Task::new(program, proc, &options);
    let budget = Budget { timeout: Some(time), memory: Some(1 << 30), ..Budget::default() };
    verify_procedure(engine, &task, &budget, &Progress::default()).verdict
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Verified { .. } => "verified",
        Verdict::Violated(_) => "violated",
        Verdict::NoInvariant { .. } => "no invariant",
        Verdict::Unknown(UnknownReason::Unsupported(_)) => "unsupported",
        Verdict::Unknown(_) => "unknown",
    }
}

/// What each engine says, and what is wrong with that.
fn judge(text: &str, time: Duration) -> (Vec<(&'static str, &'static str)>, Option<String>) {
    let options = trellis_front_java::Options::default();
    let unit = match trellis_front_java::load_str("List.java", text, options) {
        Ok(unit) => unit,
        Err(failure) => return (Vec::new(), Some(format!("{:?}", failure.diagnostics))),
    };
    let Some(proc) = unit.program.find_proc("List.f") else {
        return (Vec::new(), Some("there is no List.f".to_owned()));
    };
    let explored = ask(&Explore, &unit.program, proc, time);
    let mut said = vec![("explore", name(&explored))];
    let mut problem = None;
    let engines: [Box<dyn Engine>; 2] =
        [Box::new(PdrForall::default()), Box::new(Bohne::default())];
    for engine in engines {
        let verdict = ask(&*engine, &unit.program, proc, time);
        said.push((engine.name(), name(&verdict)));
        match (&verdict, &explored) {
            (Verdict::Unknown(UnknownReason::Internal(why)), _) => {
                problem = Some(format!("{}: {why}", engine.name()));
            }
            (Verdict::Verified { .. }, Verdict::Violated(counterexample)) => {
                let kind = counterexample.failure.kind;
                problem = Some(format!("{}: verified, but refuted: {kind}", engine.name()));
            }
            _ => {}
        }
    }
    (said, problem)
}

#[test]
fn exploration_refutes_nothing_that_is_verified() {
    let seeds = crate::seeds(if crate::slow() { 2000 } else { 100 });
    let (from, to) = (seeds.start, seeds.end);
    let tally: Mutex<BTreeMap<(&str, &str), usize>> = Mutex::default();
    let problems = Mutex::new(BTreeMap::new());
    in_parallel(to - from, |i| {
        let seed = from + i;
        let text = generate(seed as u64);
        let (said, problem) = judge(&text, Duration::from_millis(400));
        let mut tally = tally.lock().expect("no panic");
        said.into_iter().for_each(|key| *tally.entry(key).or_default() += 1);
        if let Some(why) = problem {
            let report = format!("// seed {seed}: {why}\n{text}");
            problems.lock().expect("no panic").insert(seed, report);
        }
    });
    let tally = tally.into_inner().expect("no panic");
    println!("{tally:?}");
    let problems: Vec<String> = problems.into_inner().expect("no panic").into_values().collect();
    assert!(problems.is_empty(), "{} contradictions:\n{}", problems.len(), problems.join("\n"));
    // A generator whose methods are all right tests nothing.
    let of = |engine, what| tally.get(&(engine, what)).copied().unwrap_or_default();
    let count = to - from;
    if count >= 100 {
        assert!(of("explore", "violated") * 10 >= count, "too few are wrong: {tally:?}");
    }
}
