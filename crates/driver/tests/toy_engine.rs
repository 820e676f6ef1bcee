//! The chapter "Adding an engine" of CONTRIBUTING.md, followed once with a toy.
//!
//! The toy runs the straight line at the beginning of a procedure with all inputs null or 0, as long
//! as the interpreter makes no choice, and claims a violation where an `assert` fails. It knows
//! nothing else.

mod common;

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;

use common::one_block;
use trellis_driver::explore::machine_options;
use trellis_driver::heaps;
use trellis_driver::registry::{AUTO, Entry};
use trellis_driver::settings::{Setting, any_text, parse};
use trellis_driver::{
    Answer, Budget, Claim, Engine, Options, Progress, Registry, Settings, Statistics, Task,
    UnknownReason, Verdict,
};
use trellis_program::checks::Point;
use trellis_program::concrete::{Choices, Failure, Finish, InitialHeap, Machine};
use trellis_program::{BlockId, CheckKind, Cond, Diagnostic, Expr, InstrKind, ProcId, Program};

/// How many instructions are run at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Patience(usize);

impl Default for Patience {
    fn default() -> Patience {
        Patience(100)
    }
}

impl FromStr for Patience {
    type Err = String;

    fn from_str(text: &str) -> Result<Patience, String> {
        let number: Result<NonZeroUsize, _> = text.parse();
        number.map(|n| Patience(n.get())).map_err(|_| "a number from 1 on is expected".to_owned())
    }
}

impl fmt::Display for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Runs a procedure once.
#[derive(Clone, Copy, Debug, Default)]
struct Toy {
    patience: Patience,
    /// Claims that the last assertion fails, whatever it says.
    lies: bool,
}

impl Toy {
    const ENTRY: Entry = Entry {
        name: "toy",
        about: "One run from the smallest heap",
        settings: &[Setting {
            name: "patience",
            value: "N",
            help: "Most instructions (toy)",
            words: any_text,
            default: None,
            parse: parse::<Patience>,
        }],
        make: |settings| Arc::new(Toy { patience: settings.get_or_default(), lies: false }),
    };

    const LIAR: Entry = Entry {
        name: "liar",
        about: "A toy that is wrong",
        settings: &[],
        make: |_| Arc::new(Toy { patience: Patience::default(), lies: true }),
    };

    fn claim(self, task: &Task<'_>, budget: &Budget) -> Claim {
        let Some(initial) = heaps::nth(task, 0) else {
            return Claim::Unknown(UnknownReason::NoHeap { objects: task.options.objects });
        };
        if self.lies {
            let point = Point { proc: task.proc, block: BlockId(0), instr: 0 };
            let kind = CheckKind::Assertion;
            let failure = Failure { kind, point, clause: 0, object: None, undefined: false };
            return violated(initial, failure);
        }
        let machine = Machine::new(task.program, machine_options(task));
        let mut state = machine.start(task.proc, &initial);
        for _ in 0..self.patience.0 {
            if let Err(why) = budget.check() {
                return Claim::Unknown(UnknownReason::stopped(why, budget));
            }
            let mut choices = Choices::default();
            match machine.step(&mut state, &mut choices) {
                None if choices.advance() => break,
                None => {}
                Some(Finish::Failed(failure)) => return violated(initial, failure),
                Some(_) => break,
            }
        }
        let text = "one run says nothing about the others";
        let place = Diagnostic::unsupported(task.program.proc(task.proc).span, text);
        Claim::Unknown(UnknownReason::Unsupported(vec![place]))
    }
}

fn violated(initial: InitialHeap, failure: Failure) -> Claim {
    Claim::Violated { initial, choices: Vec::new(), failure, ints: None }
}

impl Engine for Toy {
    fn name(&self) -> &'static str {
        if self.lies { Toy::LIAR.name } else { Toy::ENTRY.name }
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, _: &Progress) -> Answer {
        let claim = self.claim(task, budget);
        Answer { claim, statistics: Statistics::default(), warnings: Vec::new() }
    }
}

/// `assert(1); …; assert(value);`
fn asserts(value: i64) -> Program {
    let assert = |value: i64| InstrKind::Assert {
        cond: Cond::Expr(Expr::Int(value)),
        kind: CheckKind::Assertion,
    };
    one_block(vec![assert(1), assert(1), assert(value)])
}

fn verdict(registry: &Registry, plan: &str, settings: &Settings, value: i64) -> (Verdict, String) {
    let (program, options) = (asserts(value), Options::default());
    let task = Task::new(&program, ProcId(0), &options);
    let plan = registry.plan(plan, settings).expect("it is listed");
    let result = plan.verify(&task, &Budget::default(), &Progress::default());
    (result.verdict, result.engine.to_owned())
}

fn with_toy() -> Registry {
    Registry::default().with(Toy::ENTRY)
}

#[test]
fn it_can_be_asked_for() {
    let (plans, settings) = (with_toy().plans(), with_toy().settings());
    assert_eq!(plans.first().map(|p| p.0), Some(AUTO));
    assert_eq!(plans.last(), Some(&(Toy::ENTRY.name, Toy::ENTRY.about)));
    assert_eq!(settings.last().map(|s| s.name), Some("patience"));
}

#[test]
fn what_it_finds_is_replayed() {
    let (verdict, engine) = verdict(&with_toy(), "toy", &Settings::default(), 0);
    let Verdict::Violated(found) = verdict else { panic!("{verdict:?}") };
    assert_eq!((found.failure.kind, engine.as_str()), (CheckKind::Assertion, "toy"));
}

#[test]
fn what_it_does_not_find_is_unknown() {
    let (safe, _) = verdict(&with_toy(), "toy", &Settings::default(), 1);
    assert!(matches!(safe, Verdict::Unknown(UnknownReason::Unsupported(_))), "{safe:?}");
}

#[test]
fn it_is_told_its_option() {
    let mut settings = Settings::default();
    settings.give((Toy::ENTRY.settings[0].parse)("2").expect("a number"));
    let (short, _) = verdict(&with_toy(), "toy", &settings, 0);
    assert!(matches!(short, Verdict::Unknown(_)), "the third instruction fails: {short:?}");
    assert!((Toy::ENTRY.settings[0].parse)("0").is_err());
}

#[test]
fn it_takes_turns_with_others() {
    let both = Registry::empty()
        .with(Toy::ENTRY)
        .with(trellis_driver::Explore::ENTRY)
        .with_round("toy", Some(1000))
        .with_round("explore", None);
    let (wrong, engine) = verdict(&both, AUTO, &Settings::default(), 0);
    assert!(matches!(wrong, Verdict::Violated(_)) && engine == "toy", "{engine}: {wrong:?}");
    let (safe, engine) = verdict(&both, AUTO, &Settings::default(), 1);
    let reasons = match &safe {
        Verdict::Unknown(why) => why.engines().iter().map(|(engine, _)| *engine).collect(),
        _ => vec![engine.as_str()],
    };
    assert!(reasons.contains(&"explore"), "{safe:?}");
}

#[test]
fn a_wrong_engine_is_found_out() {
    let registry = Registry::empty().with(Toy::LIAR);
    let (said, _) = verdict(&registry, "liar", &Settings::default(), 1);
    assert!(matches!(said, Verdict::Unknown(UnknownReason::Internal(_))), "{said:?}");
}

#[test]
fn no_proof_stands_beside_a_contradiction() {
    let registry = |engines: &[&'static str]| {
        let all = Registry::empty().with(Toy::LIAR).with(trellis_driver::PdrForall::ENTRY);
        engines.iter().fold(all, |r, name| r.with_round(name, None))
    };
    let ask = |engines, value| verdict(&registry(engines), AUTO, &Settings::default(), value).0;
    let alone = ask(&["pdr-forall"], 1);
    assert!(matches!(alone, Verdict::Verified { .. }), "{alone:?}");
    let beside = ask(&["liar", "pdr-forall"], 1);
    assert!(matches!(beside, Verdict::Unknown(UnknownReason::Internal(_))), "{beside:?}");
    let found = ask(&["liar", "pdr-forall"], 0);
    assert!(matches!(found, Verdict::Violated(_)), "{found:?}");
}
