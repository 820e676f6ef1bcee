//! Partial concretisation.
//!
//! Looks for a value `Maybe` of a single atom on which the formula depends, and goes on with the
//! cases: the atom is false, it is true, and, if one of its arguments is a summary, the summary
//! falls into two individuals, one for the objects of which it is false and one for those of which
//! it is true.
//!
//! **Contract**: every definite structure that embeds into the argument, and that `sharpen` would
//! not reject, embeds into one of the results; every result embeds into the argument. The formula
//! is definite in every result for all values of its free variables, except where it depends on an
//! atom about two summaries (no finite number of cases settles that) or where a limit was reached: such results are less precise, never wrong.

use super::eval::Evaluator;
use super::formula::{Formula, Time};
use super::predicates::PredId;
use super::structure::KleeneStructure;
use super::value::Kleene;

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FocusLimit {
    /// No more cases than this are distinguished.
    pub structures: usize,
    /// No case has more than so many individuals more than the argument.
    pub splits: usize,
}

impl Default for FocusLimit {
    fn default() -> Self {
        FocusLimit { structures: 256, splits: 6 }
    }
}

/// Cases in which a formula with the first `places` variables free is definite. Every case goes
/// through `sharpen`, which may make it more precise or reject it; pass `Some` to do neither.
pub fn focus(
    structure: KleeneStructure,
    places: usize,
    formula: &Formula,
    limit: FocusLimit,
    mut sharpen: impl FnMut(KleeneStructure) -> Option<KleeneStructure>,
) -> Vec<KleeneStructure> {
    let largest = structure.size() + limit.splits;
    let mut open = vec![structure];
    let mut done = Vec::new();
    while let Some(structure) = open.pop() {
        let atom = match open.len() + done.len() < limit.structures {
            true => undecided_atom(&structure, places, formula, largest),
            false => None,
        };
        match atom {
            None => done.push(structure),
            Some((p, tuple)) => {
                open.extend(cases(&structure, p, &tuple).into_iter().filter_map(&mut sharpen))
            }
        }
    }
    done
}

/// The cases of one atom of which the value is `Maybe`.
fn cases(structure: &KleeneStructure, p: PredId, tuple: &[usize]) -> Vec<KleeneStructure> {
    let mut cases = Vec::new();
    for value in [Kleene::False, Kleene::True] {
        let mut case = structure.clone();
        case.set(p, tuple, value);
        cases.push(case);
    }
    if let Some(&summary) = tuple.iter().find(|&&u| structure.is_summary(u)) {
        // The old individual is the part for which the atom is false, the new one the other part.
        let new = structure.size();
        let origin: Vec<usize> = (0..new).chain([summary]).collect();
        let mut case = structure.copy_individuals(&origin);
        let moved: Vec<usize> = tuple.iter().map(|&u| if u == summary { new } else { u }).collect();
        case.set(p, tuple, Kleene::False);
        case.set(p, &moved, Kleene::True);
        cases.push(case);
    }
    cases
}

/// An atom with the value `Maybe`, on which the value `Maybe` of the formula depends and which
/// speaks of at most one summary, and of none if the structure is as large as it may be.
fn undecided_atom(
    structure: &KleeneStructure,
    places: usize,
    formula: &Formula,
    largest: usize,
) -> Option<(PredId, Vec<usize>)> {
    let summaries = usize::from(structure.size() < largest);
    let mut search = Search { evaluator: Evaluator::new(structure), structure, summaries };
    structure.tuples(places).into_iter().find_map(|tuple| {
        search.evaluator.assign(&tuple);
        search.formula(formula)
    })
}

struct Search<'a> {
    evaluator: Evaluator<'a>,
    structure: &'a KleeneStructure,
    /// How many summaries the atom may speak of.
    summaries: usize,
}

impl<'a> Search<'a> {
    fn formula(&mut self, formula: &'a Formula) -> Option<(PredId, Vec<usize>)> {
        if self.evaluator.formula(formula).is_definite() {
            return None;
        }
        match formula {
            Formula::Atom(p, args, Time::Before) => {
                let tuple: Vec<usize> = args.iter().map(|&v| self.evaluator.value_of(v)).collect();
                let summaries = tuple.iter().filter(|&&u| self.structure.is_summary(u)).count();
                (summaries <= self.summaries).then_some((*p, tuple))
            }
            Formula::Const(_) | Formula::Eq(..) | Formula::Atom(_, _, Time::After) => None,
            Formula::Not(a) => self.formula(a),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().find_map(|p| self.formula(p)),
            Formula::Exists(v, body) | Formula::Forall(v, body) => {
                let outer = self.evaluator.bind(*v, 0);
                let found = (0..self.structure.size()).find_map(|u| {
                    self.evaluator.bind(*v, u);
                    self.formula(body)
                });
                self.evaluator.bind(*v, outer);
                found
            }
            Formula::Closure(c) => {
                let outer = c.ends.map(|v| self.evaluator.bind(v, 0));
                let found = self.structure.tuples(2).into_iter().find_map(|pair| {
                    self.evaluator.bind(c.ends[0], pair[0]);
                    self.evaluator.bind(c.ends[1], pair[1]);
                    self.formula(&c.step)
                });
                self.evaluator.bind(c.ends[1], outer[1]);
                self.evaluator.bind(c.ends[0], outer[0]);
                found
            }
        }
    }
}
