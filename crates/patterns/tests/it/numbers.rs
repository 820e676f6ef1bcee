//! Integers that the checker does not know, against the machine that does: procedures with random
//! arithmetic, with checks on and off. What is accepted fails from no values of the inputs.

use trellis_front_c::load_str;
use trellis_patterns::check::{Labels, Options, check};
use trellis_patterns::heap::{Cell, Heap, Place};
use trellis_patterns::machine::state_of;
use trellis_patterns::program::PatternProgram;
use trellis_patterns::values::limits;
use trellis_patterns::words::PointerStart;
use trellis_patterns::{Settings, lower};
use trellis_program::concrete::{Choices, Finish, Machine, MachineOptions};
use trellis_program::{
    BlockId, CheckKind, CheckSet, InlineLimits, IntKind, Program, Rejected, inline,
};
use trellis_testkit::random::Random;

const TYPES: &[&str] = &["int", "unsigned", "signed char", "unsigned char", "short", "_Bool"];

/// Values that decide: limits of types, and what lies beside the constants of the procedures.
const VALUES: &[i128] =
    &[0, 1, -1, 2, 5, 6, -128, 127, 200, 255, 32_767, -(1 << 31), (1 << 31) - 1, (1 << 32) - 1];

fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(4) == 0 {
        let from = &["a", "b", "t", "x->data", "a", "b", "0", "1", "2", "5", "127", "200"];
        return random.pick(from).to_owned();
    }
    let mut part = |depth: u32| expression(random, depth);
    let (a, b) = (part(depth - 1), part(depth - 1));
    match random.below(9) {
        0 => format!("(-({a}))"),
        1 => format!("(~({a}))"),
        2 => format!("(!({a}))"),
        3 => format!("(({})({a}))", random.pick(TYPES)),
        4 => format!("(({a}) {} ({b}))", random.pick(&["==", "!=", "<", "<=", ">", ">="])),
        5 => format!("(({a}) {} ({b}))", random.pick(&["/", "%"])),
        6 => format!("(({a}) {} {})", random.pick(&["<<", ">>"]), random.pick(&["1", "3", "b"])),
        7 => format!("(({a}) {} ({b}))", random.pick(&["&", "|", "^", "*"])),
        _ => format!("(({a}) {} ({b}))", random.pick(&["+", "-"])),
    }
}

fn condition(random: &mut Random) -> String {
    let (a, b) = (expression(random, 1), expression(random, 1));
    format!("({a}) {} ({b})", random.pick(&["==", "!=", "<", "<=", ">", ">="]))
}

fn statement(random: &mut Random, depth: u32) -> String {
    match random.below(8) {
        0 if depth > 0 => {
            let cond = condition(random);
            let (then, els) = (statement(random, depth - 1), statement(random, depth - 1));
            format!("if ({cond}) {{ {then} }} else {{ {els} }}")
        }
        1 | 2 if depth > 0 => {
            let cond = condition(random);
            let (one, two) = (statement(random, depth - 1), statement(random, depth - 1));
            format!("if ({cond}) {{ {one} {two} }}")
        }
        3 => format!("x->data = {};", expression(random, 1)),
        4 => format!("if ({}) reach_error();", condition(random)),
        5 => format!("if ({}) {{ if ({}) reach_error(); }}", condition(random), condition(random)),
        _ => format!("{} = {};", random.pick(&["a", "b", "t"]), expression(random, 2)),
    }
}

fn procedure(random: &mut Random) -> String {
    let (record, a, b, t) =
        (random.pick(TYPES), random.pick(TYPES), random.pick(TYPES), random.pick(TYPES));
    let start = random.pick(&["", " = a", " = b", " = 1"]);
    let body: Vec<String> = (0..2 + random.below(3)).map(|_| statement(random, 2)).collect();
    let body = body.join("\n  ");
    format!(
        "struct cell {{ {record} data; }};\nvoid reach_error(void);\n\
         /*@ requires \\valid(x); */\nvoid f(struct cell *x, {a} a, {b} b) {{ {t} t{start};\n  {body} }}"
    )
}

fn values(kind: IntKind) -> impl Iterator<Item = i128> {
    let (low, high) = limits(kind);
    VALUES.iter().copied().filter(move |v| low <= *v && *v <= high)
}

/// Runs from all values of inputs; the first failure.
fn failure(program: &Program, code: &PatternProgram, checks: CheckSet) -> Option<String> {
    let words = &code.words;
    let machine = Machine::new(program, MachineOptions { checks, ..MachineOptions::default() });
    let kind = |s: &trellis_patterns::words::ScalarVar| s.kind;
    let inputs: Vec<usize> =
        (0..words.scalars.len()).filter(|s| words.scalars[*s].start.is_none()).collect();
    let mut all: Vec<Vec<i128>> = values(words.records[0].data[0].kind).map(|v| vec![v]).collect();
    for s in &inputs {
        let more = |v: &Vec<i128>| {
            let v = v.clone();
            values(kind(&words.scalars[*s])).map(move |n| [&v[..], &[n]].concat())
        };
        all = all.iter().flat_map(more).collect();
    }
    for way in &all {
        let mut heap = Heap {
            scalars: vec![None; words.scalars.len()],
            vars: vec![Place::Undefined; words.pointers.len()],
            cells: vec![Cell { record: 0, pointers: Vec::new(), data: vec![Some(way[0])] }],
        };
        for (x, var) in words.pointers.iter().enumerate() {
            if var.start != PointerStart::Undefined {
                heap.vars[x] = Place::Cell(0);
            }
        }
        inputs.iter().zip(&way[1..]).for_each(|(s, v)| heap.scalars[*s] = Some(*v));
        let start = state_of(program, code.proc, words, BlockId(code.entry as u32), &heap);
        let mut choices = Choices::default();
        loop {
            choices.rewind();
            let mut state = start.clone();
            let finish = std::iter::repeat_with(|| machine.step(&mut state, &mut choices));
            if let Some(Finish::Failed(failure)) = finish.flatten().next() {
                return Some(format!("{} from {way:?}", failure.kind));
            }
            if !choices.advance() {
                break;
            }
        }
    }
    None
}

#[test]
fn accepted_arithmetic_fails_from_no_values() {
    let programs = if std::env::var_os("TRELLIS_SLOW").is_some() { 40_000 } else { 1_500 };
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..programs {
        let mut random = Random::new(seed);
        let text = procedure(&mut random);
        let Ok(unit) = load_str("numbers.c", &text) else { continue };
        let proc = unit.program.find_proc("f").expect("f");
        let inlined = inline(&unit.program, proc, InlineLimits::default()).expect("no calls");
        let mut checks = CheckSet::default();
        for kind in [CheckKind::Overflow, CheckKind::DivByZero, CheckKind::Uninit] {
            checks.set(kind, random.below(2) == 0);
        }
        let settings = Settings { checks, ..Settings::default() };
        let Ok(code) = lower(&inlined.program, inlined.proc, &settings) else { continue };
        let options = Options { checks, ..Options::default() };
        match check(&inlined.program, &code, &Labels::new(), &options) {
            Ok(_) => {
                accepted += 1;
                if let Some(what) = failure(&inlined.program, &code, checks) {
                    panic!("number {seed}: {what}\n{checks:?}\n{text}");
                }
            }
            Err(Rejected::Wrong(_)) => refused += 1,
            Err(Rejected::Unjudged(_)) => {}
        }
    }
    assert!(accepted > programs / 20, "{accepted} of {programs} accepted, {refused} refused");
    assert!(refused > programs / 20, "{accepted} of {programs} accepted, {refused} refused");
}
