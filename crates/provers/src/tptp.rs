//! TPTP: E and SPASS.
//!
//! First-order form without sorts, so every quantifier says of what sort its variables are, and every
//! function of what sort its values. Numbers and arithmetic are constants and functions that nothing
//! is known of, conditional terms are taken out of atoms, truth values are no terms.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trellis_hol::Op;

use crate::first_order::{Fo, Problem, Sort, Var, problem};
use crate::process::{excerpt, run};
use crate::{Answer, Question, SequentProver, Why};

/// A prover of TPTP as a process.
pub struct Tptp {
    name: &'static str,
    package: &'static str,
    path: PathBuf,
    /// Its options, given seconds.
    options: fn(u64) -> Vec<String>,
    /// What it says of a theorem, and of what is none.
    words: (&'static str, &'static [&'static str]),
}

impl Tptp {
    /// E.
    pub fn eprover(path: PathBuf) -> Tptp {
        let options = |s: u64| {
            ["--auto", "-s", "--tptp3-format", &format!("--cpu-limit={s}")]
                .map(str::to_owned)
                .into()
        };
        let words = ("SZS status Theorem", &["SZS status"][..]);
        Tptp { name: "eprover", package: "eprover", path, options, words }
    }

    /// SPASS.
    pub fn spass(path: PathBuf) -> Tptp {
        let options = |s: u64| {
            ["-TPTP", "-PGiven=0", "-PProblem=0", &format!("-TimeLimit={s}")]
                .map(str::to_owned)
                .into()
        };
        let words = ("Proof found", &["Completion found", "Ran out of time"][..]);
        Tptp { name: "SPASS", package: "spass", path, options, words }
    }
}

impl SequentProver for Tptp {
    fn name(&self) -> &'static str {
        self.name
    }

    fn package(&self) -> &'static str {
        self.package
    }

    fn prove(&self, question: &Question<'_>, time: Duration, cancel: &AtomicBool) -> Answer {
        let text = write(&problem(question));
        let options = (self.options)(time.as_secs().max(1));
        match run(&self.path, &options, &text, "p", time, cancel) {
            Ok(said) if said.contains(self.words.0) => Answer::Valid(None),
            Ok(said) if self.words.1.iter().any(|w| said.contains(w)) => {
                Answer::Unknown(Why::GaveUp)
            }
            Ok(said) => Answer::Unknown(excerpt(&said)),
            Err(why) => Answer::Unknown(why),
        }
    }
}

/// A problem in first-order form.
pub fn write(problem: &Problem) -> String {
    let mut writer = Writer { problem, numbers: BTreeSet::new() };
    let facts: Vec<String> = problem.facts.iter().map(|f| writer.formula(f)).collect();
    let goal = problem.goal.as_ref().map_or_else(|| "$false".into(), |g| writer.formula(g));
    let mut out = String::from("fof(null_is, axiom, obj(null)).\n");
    for (name, args, result) in writer.functions() {
        let vars: Vec<String> = (0..args.len()).map(|i| format!("X{i}")).collect();
        let of: Vec<String> = vars.iter().zip(&args).map(|(v, s)| guard(*s, v)).collect();
        let value = match vars.is_empty() {
            true => name.clone(),
            false => format!("{name}({})", vars.join(",")),
        };
        let typed = guard(result, &value);
        let _ = match vars.is_empty() {
            true => writeln!(out, "fof(of_{name}, axiom, {typed})."),
            false => writeln!(
                out,
                "fof(of_{name}, axiom, ![{}]: (({}) => {typed})).",
                vars.join(","),
                of.join(" & ")
            ),
        };
    }
    for (i, fact) in facts.iter().enumerate() {
        let _ = writeln!(out, "fof(h{i}, axiom, {fact}).");
    }
    let _ = writeln!(out, "fof(goal, conjecture, {goal}).");
    out
}

fn guard(sort: Sort, of: &str) -> String {
    match sort {
        Sort::Int => format!("int({of})"),
        // There are no terms of the third sort.
        Sort::Obj | Sort::Bool => format!("obj({of})"),
    }
}

struct Writer<'a> {
    problem: &'a Problem,
    numbers: BTreeSet<i128>,
}

type Declared = (String, Vec<Sort>, Sort);

impl Writer<'_> {
    /// The functions that have values, with those of numbers.
    fn functions(&self) -> Vec<Declared> {
        let mut all: Vec<Declared> = Vec::new();
        for (i, f) in self.problem.functions.iter().enumerate() {
            if f.result != Sort::Bool {
                all.push((format!("f{i}"), f.args.clone(), f.result));
            }
        }
        for n in &self.numbers {
            all.push((number(*n), vec![], Sort::Int));
        }
        for name in ["plus", "minus", "times", "quotient", "rest"] {
            all.push((name.into(), vec![Sort::Int, Sort::Int], Sort::Int));
        }
        all.push(("negative".into(), vec![Sort::Int], Sort::Int));
        all
    }

    fn formula(&mut self, f: &Fo) -> String {
        let joined = |w: &mut Self, args: &[Fo], by: &str| {
            let parts: Vec<String> = args.iter().map(|a| w.formula(a)).collect();
            format!("({})", parts.join(by))
        };
        match f {
            Fo::Op(Op::True, _) => "$true".into(),
            Fo::Op(Op::False, _) => "$false".into(),
            Fo::Op(Op::Not, args) => format!("~({})", self.formula(&args[0])),
            Fo::Op(Op::And, args) => joined(self, args, " & "),
            Fo::Op(Op::Or, args) => joined(self, args, " | "),
            Fo::Op(Op::Implies, args) => joined(self, args, " => "),
            Fo::Op(Op::Iff, args) => joined(self, args, " <=> "),
            Fo::Op(Op::If, args) => {
                let (c, a, b) =
                    (self.formula(&args[0]), self.formula(&args[1]), self.formula(&args[2]));
                format!("(({c} & {a}) | (~({c}) & {b}))")
            }
            Fo::Quantified(all, vars, body) => self.quantified(*all, vars, body),
            atom => match condition(atom) {
                Some((c, a, b)) => {
                    let (c, a, b) = (self.formula(&c), self.formula(&a), self.formula(&b));
                    format!("(({c} & {a}) | (~({c}) & {b}))")
                }
                None => self.atom(atom),
            },
        }
    }

    fn quantified(&mut self, all: bool, vars: &[Var], body: &Fo) -> String {
        // Truth values are no terms: both are written out.
        if let Some(i) = vars.iter().position(|v| v.sort == Sort::Bool) {
            let mut rest = vars.to_vec();
            let v = rest.remove(i);
            let both: Vec<Fo> = [Op::True, Op::False]
                .map(|value| set(body, v.id, &Fo::Op(value, vec![])))
                .map(|body| match rest.is_empty() {
                    true => body,
                    false => Fo::Quantified(all, rest.clone(), Box::new(body)),
                })
                .into();
            return self.formula(&Fo::Op(if all { Op::And } else { Op::Or }, both));
        }
        let names: Vec<String> = vars.iter().map(|v| format!("V{}", v.id)).collect();
        let guards: Vec<String> = vars.iter().zip(&names).map(|(v, n)| guard(v.sort, n)).collect();
        let (mark, by) = if all { ("!", "=>") } else { ("?", "&") };
        let body = self.formula(body);
        format!("({mark}[{}]: (({}) {by} {body}))", names.join(","), guards.join(" & "))
    }

    fn atom(&mut self, f: &Fo) -> String {
        match f {
            Fo::Apply(p, args) if args.is_empty() => format!("p{p}"),
            Fo::Apply(p, args) => format!("p{p}({})", self.terms(args)),
            Fo::Op(Op::Eq, args) => format!("({} = {})", self.term(&args[0]), self.term(&args[1])),
            Fo::Op(Op::Less, args) => format!("less({})", self.terms(args)),
            Fo::Op(Op::LessEq, args) => {
                // The two orders are one.
                let (a, b) = (self.term(&args[0]), self.term(&args[1]));
                format!("(less({a},{b}) | {a} = {b})")
            }
            Fo::Var(v) => format!("truth(V{})", v.id),
            _ => "$true".into(),
        }
    }

    fn terms(&mut self, args: &[Fo]) -> String {
        args.iter().map(|a| self.term(a)).collect::<Vec<_>>().join(",")
    }

    fn term(&mut self, f: &Fo) -> String {
        match f {
            Fo::Var(v) => format!("V{}", v.id),
            Fo::Int(i) => {
                self.numbers.insert(*i);
                number(*i)
            }
            Fo::Apply(p, args) if args.is_empty() => format!("f{p}"),
            Fo::Apply(p, args) => format!("f{p}({})", self.terms(args)),
            Fo::Op(Op::Null, _) => "null".into(),
            Fo::Op(o, args) => {
                let word = match o {
                    Op::Plus => "plus",
                    Op::Minus => "minus",
                    Op::Times => "times",
                    Op::Div => "quotient",
                    Op::Mod => "rest",
                    _ => "negative",
                };
                format!("{word}({})", self.terms(args))
            }
            Fo::Quantified(..) => "null".into(),
        }
    }
}

fn number(i: i128) -> String {
    if i < 0 { format!("m{}", i.unsigned_abs()) } else { format!("n{i}") }
}

/// The first conditional term of an atom: the condition, and the atom with either side.
fn condition(atom: &Fo) -> Option<(Fo, Fo, Fo)> {
    match atom {
        Fo::Apply(_, args) | Fo::Op(_, args) => args.iter().enumerate().find_map(|(i, arg)| {
            let put = |new: Fo| {
                let mut atom = atom.clone();
                if let Fo::Apply(_, args) | Fo::Op(_, args) = &mut atom {
                    args[i] = new;
                }
                atom
            };
            match arg {
                Fo::Op(Op::If, parts) => {
                    Some((parts[0].clone(), put(parts[1].clone()), put(parts[2].clone())))
                }
                inner => condition(inner).map(|(c, a, b)| (c, put(a), put(b))),
            }
        }),
        _ => None,
    }
}

/// A variable replaced.
fn set(f: &Fo, id: u32, by: &Fo) -> Fo {
    let all = |args: &[Fo]| args.iter().map(|a| set(a, id, by)).collect();
    match f {
        Fo::Var(v) if v.id == id => by.clone(),
        Fo::Apply(p, args) => Fo::Apply(*p, all(args)),
        Fo::Op(o, args) => Fo::Op(*o, all(args)),
        Fo::Quantified(q, vars, body) => {
            Fo::Quantified(*q, vars.clone(), Box::new(set(body, id, by)))
        }
        other => other.clone(),
    }
}

/// The names of functions in a file, for whoever reads it.
pub fn names(problem: &Problem) -> BTreeMap<String, String> {
    let one = |(i, f): (usize, &crate::first_order::Function)| {
        let letter = if f.result == Sort::Bool { 'p' } else { 'f' };
        (format!("{letter}{i}"), f.name.clone())
    };
    problem.functions.iter().enumerate().map(one).collect()
}
