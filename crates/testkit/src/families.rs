//! Programs that are not plain list programs, by family, with the engines that must find them safe.
//! `families.txt` has them; what is wrong with one must never be found safe.

use trellis_front_c::load_str;
use trellis_program::{CheckSet, ProcId, Program};

use crate::clauses::Judge;

/// One program.
struct Case<'a> {
    name: &'a str,
    /// The engines that find it safe; none if it is wrong.
    safe_in: &'a str,
    text: String,
}

fn cases() -> Vec<Case<'static>> {
    let mut sections = include_str!("families.txt").split("=== ").skip(1);
    let header = sections.next().and_then(|s| s.split_once('\n')).map_or("", |(_, text)| text);
    let case = |section: &'static str| {
        let (title, text) = section.split_once('\n').expect("a title and a program");
        let (name, safe_in) = title.split_once(':').unwrap_or((title, ""));
        Case { name, safe_in, text: format!("{header}{text}") }
    };
    sections.map(case).collect()
}

/// The procedures that a case is about.
fn roots(program: &Program) -> impl Iterator<Item = ProcId> {
    ["f", "main", "h"].iter().filter_map(|name| program.find_proc(name))
}

/// Lets an engine judge every program, and gives how many wrong ones there were and how many that
/// it had to find safe.
///
/// # Panics
/// If it finds a wrong one safe, or does not follow one that it should. The engine must see itself
/// what is wrong: where only a checker does ("Wrong"), a user would be told of an internal error.
pub fn judge_all(engine: &str, judge: Judge<'_>) -> (usize, usize) {
    let (mut bugs, mut safe) = (0, 0);
    for Case { name, safe_in, text } in cases() {
        let unit = load_str("family.c", &text)
            .unwrap_or_else(|e| panic!("{name}: {:?}\n{text}", e.diagnostics));
        let verdicts: Vec<Result<(), String>> = roots(&unit.program)
            .map(|proc| judge(&unit.program, proc, CheckSet::default()))
            .collect();
        let wrong = |v: &Result<(), String>| v.as_ref().is_err_and(|why| why.starts_with("Wrong"));
        assert!(!verdicts.iter().any(wrong), "{name}: {verdicts:?}");
        if name.starts_with("bug") {
            bugs += 1;
            assert!(verdicts.iter().any(Result::is_err), "{name} is found safe");
        } else if safe_in.split_whitespace().any(|e| e == engine) {
            safe += 1;
            assert!(verdicts.iter().all(Result::is_ok), "{name}: {verdicts:?}");
        }
    }
    (bugs, safe)
}
