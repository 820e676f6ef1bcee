//! A violation among many integers, told with the few that it needs.
//!
//! Choices are numbers of values. Who runs them again needs the same values in the same order, so a
//! long list of them would go with every violation, and into every search for others beside it.

use std::collections::BTreeSet;

use trellis_program::ProcId;
use trellis_program::concrete::{Chooser, Finish, Machine, Scripted};

use crate::Violation;

/// The integers that a violation chooses.
pub fn integers(machine: &Machine<'_>, proc: ProcId, found: &Violation) -> BTreeSet<i64> {
    let script = Scripted::new(&found.choices);
    let mut chooser = Noting { script, values: Vec::new() };
    run(machine, proc, found, &mut chooser);
    chooser.values.into_iter().collect()
}

/// The same violation with the choices of a machine that has fewer integers; `None` if it is none
/// there.
pub fn retold(
    wide: &Machine<'_>,
    narrow: &Machine<'_>,
    proc: ProcId,
    found: &Violation,
) -> Option<Violation> {
    let script = Scripted::new(&found.choices);
    let mut noting = Noting { script, values: Vec::new() };
    run(wide, proc, found, &mut noting);
    let script = Scripted::new(&found.choices);
    let values = noting.values.into_iter();
    let mut again = Retelling { script, values, choices: Vec::new() };
    let failure = match run(narrow, proc, found, &mut again) {
        Finish::Failed(failure) if failure.same_check(&found.failure) => failure,
        _ => return None,
    };
    Some(Violation { initial: found.initial.clone(), choices: again.choices, failure })
}

fn run(
    machine: &Machine<'_>,
    proc: ProcId,
    found: &Violation,
    chooser: &mut dyn Chooser,
) -> Finish {
    /// Further than any random execution goes.
    const MOST: usize = 1_000_000;
    let mut state = machine.start(proc, &found.initial);
    let finish = (0..MOST).find_map(|_| machine.step(&mut state, chooser));
    finish.unwrap_or(Finish::Stopped)
}

/// Follows a script, and notes the integers that come of it.
struct Noting<'s> {
    script: Scripted<'s>,
    values: Vec<i64>,
}

impl Chooser for Noting<'_> {
    fn choose(&mut self, options: u32) -> u32 {
        self.script.choose(options)
    }

    fn choose_integer(&mut self, domain: &mut dyn Iterator<Item = i64>) -> u32 {
        let domain: Vec<i64> = domain.collect();
        let choice = self.script.choose(domain.len() as u32);
        self.values.push(domain[choice as usize]);
        choice
    }
}

/// Follows a script with integers that are given, and notes its choices.
struct Retelling<'s, V> {
    script: Scripted<'s>,
    values: V,
    choices: Vec<u32>,
}

impl<V: Iterator<Item = i64>> Chooser for Retelling<'_, V> {
    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.script.choose(options);
        self.choices.push(choice);
        choice
    }

    fn choose_integer(&mut self, domain: &mut dyn Iterator<Item = i64>) -> u32 {
        self.script.choose(u32::MAX);
        let value = self.values.next();
        let domain: Vec<i64> = domain.collect();
        let place = value.and_then(|v| domain.iter().position(|d| *d == v));
        let choice = place.unwrap_or(0) as u32;
        self.choices.push(choice);
        choice
    }
}
