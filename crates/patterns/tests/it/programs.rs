//! Random programs with one loop, and labels made of the heaps that the interpreter reaches there,
//! some of them widened: whatever the checker accepts is closed under the interpreter on small
//! heaps, and nothing is accepted of a program that the interpreter sees fail.

use std::collections::BTreeSet;

use trellis_explore::{Config, Outcome, Progress, explore};
use trellis_front_c::load_str;
use trellis_patterns::check::{Labels, Options, check};
use trellis_patterns::heap::{Heap, Place};
use trellis_patterns::machine::heap_of;
use trellis_patterns::pattern::{Label, Node, Pattern, Sharing, Target, Targets};
use trellis_patterns::program::{Block, PatternProgram};
use trellis_patterns::values::{Orders, Values};
use trellis_patterns::words::{PatternWords, PointerStart, Predicate};
use trellis_patterns::{Settings, lower};
use trellis_program::concrete::{Choices, Finish, Machine, MachineOptions, State};
use trellis_program::{CheckKind, CheckSet, InlineLimits, Inlined, Rejected, inline};
use trellis_testkit::random::Random;

use crate::check::closed_on_small_heaps;

const HEADER: &str = "struct node { int data; struct node *next; struct node *back; };\n\
    void *malloc(unsigned long);\nvoid free(void *);\nint __VERIFIER_nondet_int(void);\n\
    void reach_error(void);\n";

const POINTERS: [&str; 3] = ["p", "q", "r"];
const INTS: [&str; 2] = ["d", "e"];

/// What programs of one kind have.
#[derive(Clone, Copy)]
struct Style {
    /// Variables are globals, so that cells stay reachable, and leaks are looked for.
    leaks: bool,
    /// Two pointer fields instead of one.
    two_fields: bool,
}

fn statement(style: Style, random: &mut Random, depth: u32) -> String {
    let next = match style.two_fields && random.below(2) == 0 {
        true => "back",
        false => "next",
    };
    let (p, q) = (random.pick(&POINTERS), random.pick(&POINTERS));
    let (d, e) = (random.pick(&INTS), random.pick(&INTS));
    // Now and then nobody looks where a pointer leads.
    let careful = random.below(12) != 0;
    let guarded = |s: String| if careful { format!("if ({p}) {{ {s} }}") } else { s };
    match random.below(if depth == 0 { 16 } else { 13 }) {
        0 => format!("{p} = {q};"),
        1 | 2 => format!("if ({q}) {p} = {q}->{next};"),
        3 => guarded(format!("{p}->{next} = {q};")),
        4 => guarded(format!("{p}->data = {d};")),
        5 => guarded(format!("{d} = {p}->data;")),
        6 => format!("{d} = !{e};"),
        7 => format!("{d} = {e};"),
        8 => format!("{d} = __VERIFIER_nondet_int();"),
        9 => format!("if ({d} < 2) {d} = {d} + 1; else {d} = 0;"),
        10 => guarded(format!("if ({p}->data != {d}) {p}->data = 1;")),
        11 => format!("{d} = 1 - {e};"),
        12 => format!("{p} = 0;"),
        15 => format!("free({p}); {p} = {};", random.pick(&["0", "q", "p"])),
        13 => {
            let op = random.pick(&["<", "==", ">=", "!="]);
            format!("if ({d} {op} {e}) {{ {} }}", statement(style, random, 1))
        }
        _ => {
            let op = random.pick(&["==", "!="]);
            let (a, b) = (statement(style, random, 1), statement(style, random, 1));
            format!("if ({p} {op} {q}) {{ {a} }} else {{ {b} }}")
        }
    }
}

fn program(style: Style, random: &mut Random) -> String {
    let mut out = String::from(match style.leaks {
        true => "struct node *p, *q, *r;\nint main(void) { int d = 0, e = 1;\n",
        false => "int f(void) { struct node *p = 0, *q = 0, *r = 0; int d = 0, e = 1;\n",
    });
    for var in POINTERS.iter().take(1 + random.below(3) as usize) {
        let next = random.pick(&["p", "q", "r", "0"]);
        let value = random.pick(&["0", "1", "d"]);
        let back = random.pick(&["p", "q", "r", "0"]);
        out += &format!("{var} = malloc(sizeof *p); {var}->data = {value};\n");
        out += &format!(
            "{var}->next = {next}; {var}->back = {};\n",
            match style.two_fields {
                true => back,
                false => "0",
            }
        );
    }
    out += "while (__VERIFIER_nondet_int()) {\n";
    for _ in 0..2 + random.below(3) {
        out += &format!("  {}\n", statement(style, random, 0));
    }
    out += "}\n";
    for _ in 0..1 + random.below(2) {
        let (p, d) = (random.pick(&POINTERS), random.pick(&INTS));
        let wrong = match random.below(4) {
            0 => format!("{p} && {p}->next == {p}"),
            1 => format!("{p} && {p}->data > 2"),
            2 => format!("{d} > 2"),
            _ => "p && q && r && p->next == q && q->data == 1".to_owned(),
        };
        out += &format!("if ({wrong}) reach_error();\n");
    }
    out + "return 0; }"
}

/// Without leaks what is lost is dropped.
fn checks(style: Style) -> CheckSet {
    let mut out = CheckSet::default();
    out.set(CheckKind::Leak, style.leaks);
    out
}

/// The heaps at the loop head, up to so many, and whether a check fails.
fn reached(
    inlined: &Inlined,
    code: &PatternProgram,
    checks: CheckSet,
    most: usize,
) -> (BTreeSet<Heap>, bool) {
    let options = MachineOptions { checks, ..MachineOptions::default() };
    let machine = Machine::new(&inlined.program, options);
    let mut found = BTreeSet::new();
    let mut todo: Vec<State> = Vec::new();
    let start = trellis_patterns::machine::state_of(
        &inlined.program,
        code.proc,
        &code.words,
        trellis_program::BlockId(code.entry as u32),
        &Heap {
            scalars: vec![None; code.words.scalars.len()],
            vars: code.words.pointers.iter().map(|p| start_of(p.start)).collect(),
            cells: Vec::new(),
        },
    );
    todo.push(start);
    while let Some(from) = todo.pop() {
        let mut choices = Choices::default();
        loop {
            choices.rewind();
            let mut state = from.clone();
            let end = loop {
                if let Some(finish) = machine.step(&mut state, &mut choices) {
                    break Some(finish);
                }
                let top = state.top();
                if top.instr == 0 && code.heads.contains(&(top.block.0 as usize)) {
                    break None;
                }
            };
            match end {
                Some(Finish::Failed(_)) => return (found, true),
                Some(_) => {}
                None => {
                    let heap = heap_of(&inlined.program, code.proc, &code.words, &state);
                    let heap = heap.expect("has words").normalised();
                    if found.len() < most && found.insert(heap) {
                        todo.push(state);
                    }
                }
            }
            if !choices.advance() {
                break;
            }
        }
    }
    (found, false)
}

fn start_of(start: PointerStart) -> Place {
    match start {
        PointerStart::Undefined => Place::Undefined,
        PointerStart::Null => Place::Null,
        PointerStart::Input | PointerStart::Same(_) => panic!("no inputs"),
    }
}

/// The pattern of one heap: all nodes plain, integers by their classes, dead variables left out.
fn pattern_of(words: &PatternWords, block: &Block, heap: &Heap) -> Pattern {
    let live = &block.live_pointers;
    let mut heap = heap.clone();
    for (place, live) in heap.vars.iter_mut().zip(live) {
        if !live {
            *place = Place::Undefined;
        }
    }
    let heap = heap.normalised();
    let target = |p: &Place| match p {
        Place::Null => Target::Null,
        Place::Freed => Target::Freed,
        Place::Undefined => Target::Undefined,
        Place::Cell(c) => Target::Node(*c),
    };
    let mut incoming = vec![Vec::new(); heap.cells.len()];
    for cell in &heap.cells {
        for (edge, p) in cell.pointers.iter().enumerate() {
            if let Place::Cell(c) = p {
                incoming[*c].push(edge);
            }
        }
    }
    let values = |(s, v): (usize, &Option<i128>)| match (block.live_scalars[s], v) {
        (false, _) => words.partition.all(words.scalars[s].kind).or(Values::UNDEFINED),
        (true, None) => Values::UNDEFINED,
        (true, Some(v)) => Values::class(words.partition.class(*v)),
    };
    let vars = heap.vars.iter().zip(live);
    Pattern {
        scalars: heap.scalars.iter().enumerate().map(values).collect(),
        orders: words
            .pairs
            .iter()
            .map(|(a, b)| match (heap.scalars[*a], heap.scalars[*b]) {
                (Some(x), Some(y)) if block.live_scalars[*a] && block.live_scalars[*b] => {
                    Orders::of(x.cmp(&y))
                }
                _ => Orders::ANY,
            })
            .collect(),
        vars: vars.map(|(p, live)| if *live { target(p) } else { Target::Dead }).collect(),
        nodes: heap
            .cells
            .iter()
            .enumerate()
            .map(|(c, cell)| Node {
                record: cell.record,
                summary: false,
                sharing: Sharing::of(&incoming[c]),
                colours: [heap.colour(words, c)].into(),
                fields: cell.pointers.iter().map(|p| Targets::of(target(p))).collect(),
            })
            .collect(),
    }
}

/// Two nodes become one summary node.
fn merge(pattern: &Pattern, a: usize, b: usize) -> Pattern {
    let mut out = pattern.clone();
    let other = out.nodes[b].clone();
    let into = &mut out.nodes[a];
    into.summary = true;
    into.sharing = into.sharing.or(other.sharing);
    into.colours.extend(other.colours);
    for (mine, its) in into.fields.iter_mut().zip(other.fields) {
        *mine = mine.or(its);
    }
    for targets in out.nodes.iter_mut().flat_map(|n| &mut n.fields) {
        if targets.includes(Targets::node(b)) {
            *targets = targets.or(Targets::node(a));
        }
    }
    let kept: Vec<usize> = (0..out.nodes.len()).filter(|n| *n != b).collect();
    out.reordered(&kept)
}

fn widened(pattern: &Pattern, random: &mut Random) -> Pattern {
    let free: Vec<usize> =
        (0..pattern.nodes.len()).filter(|n| pattern.vars_at(*n).next().is_none()).collect();
    match (random.below(3), &free[..]) {
        (0, [a, b, ..]) => merge(pattern, *a, *b),
        (1, [a, ..]) => {
            let mut out = pattern.clone();
            out.nodes[*a].summary = true;
            out
        }
        _ => pattern.clone(),
    }
}

/// A label without some of its patterns: no invariant, most often.
fn narrowed(label: &BTreeSet<Pattern>, random: &mut Random) -> BTreeSet<Pattern> {
    let every = 2 + random.below(6);
    label.iter().filter(|_| random.below(every) != 0).cloned().collect()
}

/// How many labels were accepted, refused and not judged, and how many programs fail.
#[derive(Default, Debug)]
struct Tally {
    accepted: usize,
    refused: usize,
    unjudged: usize,
    failing: usize,
}

fn try_program(style: Style, seed: u64, tally: &mut Tally) {
    let mut random = Random::new(333_000 + seed);
    let text = program(style, &mut random);
    let unit = load_str("random.c", &format!("{HEADER}{text}\n")).expect("a program");
    let proc = unit.program.find_proc(if style.leaks { "main" } else { "f" }).expect("its name");
    let inlined = inline(&unit.program, proc, InlineLimits::default()).expect("no recursion");
    let checks = checks(style);
    let settings = Settings { checks, malloc_may_fail: false };
    let mut code = lower(&inlined.program, inlined.proc, &settings).expect("has words");
    let [d, e] = INTS.map(|n| code.words.scalars.iter().position(|s| s.name == n));
    let p = code.words.pointers.iter().position(|x| x.name == "p");
    match (seed / 7 % 6, d, e, p) {
        (1, Some(d), Some(e), _) => code.words.add_pair(d, e),
        (2, Some(d), ..) => {
            code.words.add_predicate(0, Predicate::Against { field: 0, scalar: d });
        }
        (3, ..) => {
            code.words.add_predicate(0, Predicate::Neighbour { field: 0, over: 0, other: 0 });
        }
        (4, ..) => {
            code.words.add_predicate(0, Predicate::Inverse { over: 0, back: 1 });
        }
        (5, .., Some(pointer)) => {
            code.words.add_predicate(0, Predicate::Is { field: 1, pointer });
        }
        _ => {}
    }
    let (found, fails) = reached(&inlined, &code, checks, 300);
    let head = *code.heads.first().expect("a loop");
    let exact: BTreeSet<Pattern> =
        found.iter().map(|h| pattern_of(&code.words, &code.blocks[head], h)).collect();
    let wide: BTreeSet<Pattern> = exact.iter().map(|p| widened(p, &mut random)).collect();
    let narrow = narrowed(&exact, &mut random);
    for label in [exact, wide, narrow] {
        let labels = Labels::from([(head, Label(label.into_iter().collect()))]);
        let options = Options { checks, ..Options::default() };
        match check(&inlined.program, &code, &labels, &options) {
            Ok(_) => {
                assert!(!fails, "{text}");
                tally.accepted += 1;
                closed_on_small_heaps(&inlined.program, &code, &labels, checks, 2);
            }
            Err(Rejected::Wrong(_)) => tally.refused += 1,
            Err(Rejected::Unjudged(_)) => tally.unjudged += 1,
        }
    }
    tally.failing += usize::from(fails);
}

#[test]
fn whatever_is_accepted_of_random_programs_is_right() {
    let programs = if std::env::var_os("TRELLIS_SLOW").is_some() { 4000 } else { 200 };
    for style in [(false, false), (true, false), (false, true), (true, true)] {
        let style = Style { leaks: style.0, two_fields: style.1 };
        let mut tally = Tally::default();
        (0..programs).for_each(|seed| try_program(style, seed, &mut tally));
        let Tally { accepted, refused, unjudged, failing } = tally;
        let enough = accepted * 3 > programs as usize && refused * 6 > programs as usize;
        assert!(enough && failing * 12 > programs as usize, "{tally:?}");
        assert!(unjudged * 10 < programs as usize, "{tally:?}");
    }
}

const REQUIRES: &[&str] = &[
    "\\true",
    "p != \\null",
    "reach(next, p, \\null)",
    "reach(next, p, q) && q != \\null",
    "cyclic(next, p)",
    "ls(next, p, \\null) && ls(next, q, \\null)",
    "p != \\null && p->data == d && \\separated(p, q)",
    "d >= 0 && p == q",
];

const ENSURES: &[&str] = &[
    "p == q || p == \\null",
    "p != \\null ==> p->data == d",
    "reach(next, p, \\null)",
    "reach(next, q, \\result)",
    "ls(next, p, \\null)",
    "\\result == \\null || alloc(\\result)",
    "\\result != \\null ==> \\result->data >= 0",
    "stable(next, p) && d >= 0",
    "cyclic(next, p) ==> cyclic(next, \\result)",
];

/// Procedures without loops, with contracts: nothing is accepted that exploration refutes.
#[test]
fn whatever_is_accepted_of_random_contracts_is_right() {
    let programs = if std::env::var_os("TRELLIS_SLOW").is_some() { 8000 } else { 400 };
    let (mut accepted, mut violated, mut refused, mut outside) = (0, 0, 0, 0);
    for seed in 0..programs {
        let mut random = Random::new(777_000 + seed);
        let style = Style { leaks: false, two_fields: false };
        let (requires, ensures) = (random.pick(REQUIRES), random.pick(ENSURES));
        let mut body = String::new();
        for _ in 0..1 + random.below(3) {
            body += &format!("  {}\n", statement(style, &mut random, 0));
        }
        let result = random.pick(&POINTERS);
        let text = format!(
            "struct node {{ int data; struct node *next; }};\nvoid free(void *);\n\
             int __VERIFIER_nondet_int(void);\n/*@ requires {requires}; ensures {ensures}; */\n\
             struct node *f(struct node *p, struct node *q, int d) {{\n\
             struct node *r = p; int e = d;\n{body}  return {result}; }}\n"
        );
        let unit = load_str("contract.c", &text).expect("a program");
        let proc = unit.program.find_proc("f").expect("f");
        let mut checks = CheckSet::default();
        checks.set(CheckKind::Leak, random.below(2) == 0);
        let settings = Settings { checks, malloc_may_fail: false };
        let code = lower(&unit.program, proc, &settings).expect("has words");
        let options = Options { checks, ..Options::default() };
        let judged = check(&unit.program, &code, &Labels::new(), &options);
        let config = Config { objects: 2, checks, ..Config::default() };
        let explored = explore(&unit.program, proc, &config, &Progress::default());
        let is_violated = matches!(explored.outcome, Outcome::Violated(_));
        assert!(!(is_violated && judged.is_ok()), "{text}");
        violated += usize::from(is_violated);
        match judged {
            Ok(_) => accepted += 1,
            Err(Rejected::Wrong(_)) => refused += usize::from(!is_violated),
            Err(Rejected::Unjudged(_)) => outside += 1,
        }
    }
    let all = format!(
        "{accepted} accepted, {violated} violated, {refused} more refused, {outside} outside"
    );
    let n = programs as usize;
    assert!(accepted * 8 > n && violated * 5 > n && refused * 5 < n && outside * 5 < n, "{all}");
}
