//! SMT-LIB: z3 and cvc5.
//!
//! **Invariant.** A name of the user is never a name of ours: functions begin with their number and a
//! space, which bound variables, labels of assertions and words of the language do not have. (`|v1|`
//! and `v1` are one name.)

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trellis_hol::Op;

use crate::first_order::{Fo, Problem, Sort, Var, problem};
use crate::process::{excerpt, run};
use crate::{Answer, Question, SequentProver, Why};

/// A solver of SMT-LIB as a process.
pub struct Smt {
    name: &'static str,
    package: &'static str,
    path: PathBuf,
    /// Its options, given milliseconds.
    options: fn(u128) -> Vec<String>,
}

impl Smt {
    /// z3.
    pub fn z3(path: PathBuf) -> Smt {
        let options = |ms: u128| vec![format!("-t:{ms}"), "-smt2".to_owned()];
        Smt { name: "z3", package: "z3", path, options }
    }

    /// cvc5.
    pub fn cvc5(path: PathBuf) -> Smt {
        let options = |ms: u128| vec!["--lang=smt2".to_owned(), format!("--tlimit={ms}")];
        Smt { name: "cvc5", package: "cvc5", path, options }
    }
}

impl SequentProver for Smt {
    fn name(&self) -> &'static str {
        self.name
    }

    fn package(&self) -> &'static str {
        self.package
    }

    fn prove(&self, question: &Question<'_>, time: Duration, cancel: &AtomicBool) -> Answer {
        let problem = problem(question);
        let text = write(&problem, true);
        let options = (self.options)(time.as_millis());
        match run(&self.path, &options, &text, "smt2", time + Duration::from_millis(200), cancel) {
            Ok(said) => understood(&said, &problem),
            Err(why) => Answer::Unknown(why),
        }
    }
}

/// What an answer of a solver means.
pub fn understood(said: &str, problem: &Problem) -> Answer {
    let mut lines = said.lines().map(str::trim);
    match lines.next() {
        Some("unsat") => Answer::Valid(core(said, problem.hypotheses)),
        Some("sat") if !problem.replaced => Answer::Invalid,
        Some("sat" | "unknown") => Answer::Unknown(Why::GaveUp),
        Some("timeout" | "cvc5 interrupted by timeout.") => Answer::Unknown(Why::Time),
        None if said.trim().is_empty() => Answer::Unknown(Why::Time),
        _ => Answer::Unknown(excerpt(said)),
    }
}

/// The hypotheses of a core, if there is one that can be understood.
fn core(said: &str, hypotheses: usize) -> Option<Vec<usize>> {
    let inside = said.split_once('(')?.1.split_once(')')?.0;
    let mut used = Vec::new();
    for name in inside.split_whitespace() {
        match name.strip_prefix('h').and_then(|n| n.parse::<usize>().ok()) {
            Some(n) if n < hypotheses => used.push(n),
            Some(_) => {}
            None if name == "goal" => {}
            None => return None,
        }
    }
    used.sort_unstable();
    Some(used)
}

/// A problem as SMT-LIB: its negation has no model if the sequent is valid.
pub fn write(problem: &Problem, cores: bool) -> String {
    let mut out = String::new();
    if cores {
        out.push_str("(set-option :produce-unsat-cores true)\n");
    }
    out.push_str("(set-logic ALL)\n(declare-sort Obj 0)\n(declare-const null Obj)\n");
    for (i, f) in problem.functions.iter().enumerate() {
        let args: Vec<&str> = f.args.iter().map(|s| sort(*s)).collect();
        let name = function(problem, i);
        let _ = writeln!(out, "(declare-fun {name} ({}) {})", args.join(" "), sort(f.result));
    }
    for (i, fact) in problem.facts.iter().enumerate() {
        let _ = match cores {
            true => writeln!(out, "(assert (! {} :named h{i}))", show(problem, fact)),
            false => writeln!(out, "(assert {})", show(problem, fact)),
        };
    }
    if let Some(goal) = &problem.goal {
        let goal = show(problem, goal);
        let _ = match cores {
            true => writeln!(out, "(assert (! (not {goal}) :named goal))"),
            false => writeln!(out, "(assert (not {goal}))"),
        };
    }
    out.push_str("(check-sat)\n");
    if cores {
        out.push_str("(get-unsat-core)\n");
    }
    out
}

fn sort(s: Sort) -> &'static str {
    match s {
        Sort::Obj => "Obj",
        Sort::Int => "Int",
        Sort::Bool => "Bool",
    }
}

/// The name of a function, as far as SMT-LIB allows it.
fn function(problem: &Problem, i: usize) -> String {
    let plain = |c: char| if c.is_ascii_graphic() && c != '|' && c != '\\' { c } else { '_' };
    let name: String = problem.functions[i].name.chars().map(plain).collect();
    format!("|{i} {name}|")
}

fn variable(v: &Var) -> String {
    format!("v{}", v.id)
}

fn show(problem: &Problem, f: &Fo) -> String {
    let list = |args: &[Fo]| args.iter().map(|a| show(problem, a)).collect::<Vec<_>>().join(" ");
    match f {
        Fo::Var(v) => variable(v),
        Fo::Int(i) if *i < 0 => format!("(- {})", i.unsigned_abs()),
        Fo::Int(i) => i.to_string(),
        Fo::Apply(f, args) if args.is_empty() => function(problem, *f),
        Fo::Apply(f, args) => format!("({} {})", function(problem, *f), list(args)),
        Fo::Quantified(all, vars, body) => {
            let bound: Vec<String> =
                vars.iter().map(|v| format!("({} {})", variable(v), sort(v.sort))).collect();
            let word = if *all { "forall" } else { "exists" };
            format!("({word} ({}) {})", bound.join(" "), show(problem, body))
        }
        Fo::Op(o, args) => {
            let word = match o {
                Op::True => return "true".into(),
                Op::False => return "false".into(),
                Op::Null => return "null".into(),
                Op::Not => "not",
                Op::And => "and",
                Op::Or => "or",
                Op::Implies => "=>",
                Op::Iff | Op::Eq => "=",
                Op::Less => "<",
                Op::LessEq => "<=",
                Op::Plus => "+",
                Op::Minus | Op::Negate => "-",
                Op::Times => "*",
                Op::Div => "div",
                Op::Mod => "mod",
                _ => "ite",
            };
            format!("({word} {})", list(args))
        }
    }
}
