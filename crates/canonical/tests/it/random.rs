//! Random list programs: nothing is proved where exploration finds a violation.

use crate::evidence::confirm;
use trellis_canonical::{Instrumentation, Limits, Options, Table3, Table7, analyse};
use trellis_explore::{Config, Outcome, Progress, explore};
use trellis_logic::generate::{Tape, runner, tapes};
use trellis_program::CheckKind;

const VARS: [&str; 3] = ["x", "y", "z"];

fn var(tape: &mut Tape) -> &'static str {
    tape.pick(&VARS).copied().unwrap_or("x")
}

fn block(tape: &mut Tape, depth: u32, out: &mut String) {
    for _ in 0..=tape.below(3) {
        statement(tape, depth, out);
    }
}

fn statement(tape: &mut Tape, depth: u32, out: &mut String) {
    let (a, b) = (var(tape), var(tape));
    // Most uses are guarded, else everything is a null dereference.
    let guard = if tape.chance(85) { format!("if ({a}) ") } else { String::new() };
    match tape.below(if depth == 0 { 9 } else { 13 }) {
        0 | 1 => out.push_str(&format!("{a} = {b};\n")),
        2 => out.push_str(&format!("{a} = NULL;\n")),
        3 | 4 => out.push_str(&format!("if ({b}) {a} = {b}->n; else {a} = NULL;\n")),
        5 => out.push_str(&format!("{guard}{a}->n = {b};\n")),
        6 => out.push_str(&format!("{guard}{a}->n = NULL;\n")),
        7 => out.push_str(&format!("{a} = malloc(sizeof(struct node)); {a}->n = {b};\n")),
        8 if tape.chance(40) => out.push_str(&format!("free({a}); {a} = NULL;\n")),
        8 => out.push_str(&format!("{guard}{b} = {a}->n;\n")),
        9 | 10 => {
            let condition = match tape.below(3) {
                0 => "nondet()".to_string(),
                1 => format!("{a} == {b}"),
                _ => format!("{a} != NULL"),
            };
            out.push_str(&format!("if ({condition}) {{\n"));
            block(tape, depth - 1, out);
            out.push_str("}\n");
        }
        _ => {
            let condition = match tape.below(2) {
                0 => format!("{a} != NULL && nondet()"),
                _ => format!("{a} != {b} && {a} != NULL"),
            };
            out.push_str(&format!("while ({condition}) {{\n"));
            block(tape, depth - 1, out);
            out.push_str(&format!("if ({a}) {a} = {a}->n;\n}}\n"));
        }
    }
}

fn program(tape: &mut Tape) -> String {
    let requires = tape.pick(&[
        "requires reach(n, x, NULL) && y == NULL;",
        "requires reach(n, x, NULL) && reach(n, x, y);",
        "requires x != NULL && cyclic(n, x) && y == NULL;",
        "requires x != NULL && !reach(n, x, NULL) && !cyclic(n, x) && y == NULL;",
    ]);
    let ensures = tape.pick(&[
        "",
        "ensures reach(n, \\result, NULL);",
        "ensures reach(n, x, NULL);",
        "ensures x != NULL ==> cyclic(n, x);",
        "ensures reach(n, x, \\result);",
    ]);
    let mut body = String::new();
    block(tape, 2, &mut body);
    format!(
        "struct node {{ struct node *n; int data; }};\n\
         extern void *malloc(unsigned long);\nextern void free(void *);\nextern int nondet(void);\n\
         #define NULL ((void *)0)\n\
         /*@ {} {} assigns \\everything; */\n\
         struct node *f(struct node *x, struct node *y) {{\nstruct node *z = NULL;\n{body}return {};\n}}\n",
        requires.unwrap_or(&""),
        ensures.unwrap_or(&""),
        var(tape)
    )
    .replace("#define NULL ((void *)0)\n", "")
    .replace("NULL", "((void *)0)")
}

/// The kind of the violation that exploration finds, if it finds one; the kinds of the alarms.
fn compare(
    text: &str,
    instrumentation: impl Instrumentation,
) -> Option<(Option<CheckKind>, Vec<CheckKind>)> {
    let unit = match trellis_front_c::load_str("random.i", text) {
        Ok(unit) => unit,
        Err(failure) => panic!("{text}\n{:?}", failure.diagnostics),
    };
    let proc = unit.program.find_proc("f")?;
    let limits = Limits { structures: 2000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let analysis = analyse(&unit.program, proc, instrumentation, &options).ok()?;
    assert!(analysis.untranslated.is_empty(), "{text}\n{:?}", analysis.untranslated);
    if analysis.alarms.is_empty() {
        let confirmed = confirm(&unit.program, proc, options.checks, &analysis);
        assert_eq!(confirmed, Ok(()), "{text}");
    }
    let config = Config { objects: 3, steps: 60, choices: 5, ..Config::default() };
    let violated = match explore(&unit.program, proc, &config, &Progress::default()).outcome {
        Outcome::Violated(violation) => Some(violation.failure.kind),
        _ => None,
    };
    Some((violated, analysis.alarms.iter().map(|a| a.kind).collect()))
}

fn nothing_wrong_is_proved<I: Instrumentation + Default>(programs: u32) {
    use std::cell::Cell;
    let (proved, violated) = (Cell::new(0), Cell::new(0));
    runner(programs)
        .run(&tapes(120), |mut tape| {
            let text = program(&mut tape);
            if let Some((violation, alarms)) = compare(&text, I::default()) {
                proved.set(proved.get() + i32::from(alarms.is_empty()));
                if let Some(kind) = violation {
                    violated.set(violated.get() + 1);
                    assert!(alarms.contains(&kind), "{kind:?} missed, {alarms:?}:\n{text}");
                }
            }
            Ok(())
        })
        .unwrap();
    let (proved, violated) = (proved.get(), violated.get());
    assert!(proved * 20 > programs as i32 && violated * 5 > programs as i32, "{proved} {violated}");
}

fn programs(quick: u32) -> u32 {
    if std::env::var_os("TRELLIS_SLOW").is_some() { 20 * quick } else { quick }
}

#[test]
fn table_3_proves_nothing_that_exploration_refutes() {
    nothing_wrong_is_proved::<Table3>(programs(250));
}

#[test]
fn table_7_proves_nothing_that_exploration_refutes() {
    nothing_wrong_is_proved::<Table7>(programs(250));
}
