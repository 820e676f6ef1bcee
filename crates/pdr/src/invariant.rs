//! The invariant of an inductive frame, as small as we can make it.
//!
//! Slicing: start from the lemmas that exclude the bad states, add those that these need to be
//! inductive, and so on; the cores of the solvers say which are needed (notes: 1.3 to 6 times
//! fewer clauses). Shrinking: leave out one lemma after the other if what needed it can do without.
//!
//! **Invariant.** The lemmas of a slice are inductive by themselves and exclude the bad states: each
//! duty has a support, and all supports are in the slice.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::FormulaId;
use trellis_solver::{Limits, Unknown};

use crate::frames::{Frames, Solvers};
use crate::query::Space;

/// What holds at every cut point.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// By location; the entry has none but the precondition.
    pub clauses: Vec<Vec<FormulaId>>,
}

impl Invariant {
    /// How many clauses there are in all.
    pub fn len(&self) -> usize {
        self.clauses.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The lemmas above a level that are needed.
///
/// # Errors
/// If a solver does not know, which it did before.
pub(crate) fn extract(
    space: &mut Space,
    solvers: &mut Solvers,
    frames: &Frames,
    level: usize,
    limits: &Limits,
) -> Result<Invariant, Unknown> {
    let limits = Limits { minimise_core: false, minimise_model: false, ..limits.clone() };
    let mut slice = Slice { space, solvers, frames, limits, supports: BTreeMap::new() };
    slice.grow((0..frames.lemmas.len()).filter(|&i| frames.lemmas[i].0.level > level).collect())?;
    slice.shrink()?;
    let lemmas = slice.lemmas();
    let mut clauses = vec![Vec::new(); slice.space.system.locations.len()];
    for lemma in lemmas.into_iter().map(|i| &frames.lemmas[i].0) {
        clauses[lemma.at.0].push(lemma.clause);
    }
    Ok(Invariant { clauses })
}

/// Something that the lemmas of a slice must exclude.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Duty {
    /// A step from the location into an error.
    Safe(usize),
    /// A step that breaks the lemma.
    Lemma(usize),
}

/// A duty with lemmas that are enough for it.
type Support = (Duty, Vec<usize>);

/// A slice in the making.
struct Slice<'a> {
    space: &'a mut Space,
    solvers: &'a mut Solvers,
    frames: &'a Frames,
    limits: Limits,
    /// The duties, each with lemmas that are enough for it.
    supports: BTreeMap<Duty, Vec<usize>>,
}

impl Slice<'_> {
    /// The lemmas in the slice.
    fn lemmas(&self) -> Vec<usize> {
        let lemma = |duty: &Duty| match duty {
            Duty::Lemma(i) => Some(*i),
            Duty::Safe(_) => None,
        };
        self.supports.keys().filter_map(lemma).collect()
    }

    /// Takes lemmas into the slice until all duties have a support.
    fn grow(&mut self, candidates: Vec<usize>) -> Result<(), Unknown> {
        let errors = &self.solvers.errors;
        let mut todo: Vec<Duty> =
            (1..errors.len()).filter(|&l| !errors[l].is_empty()).map(Duty::Safe).collect();
        let mut chosen: BTreeSet<usize> = BTreeSet::new();
        while let Some(duty) = todo.pop() {
            // What is in the slice already may be enough.
            let own: Vec<usize> = chosen.iter().copied().collect();
            let support = match self.support(duty, &own)? {
                Some(support) => support,
                None => self.support(duty, &candidates)?.ok_or_else(not_inductive)?,
            };
            todo.extend(support.iter().filter(|&&i| chosen.insert(i)).map(|&i| Duty::Lemma(i)));
            self.supports.insert(duty, support);
        }
        Ok(())
    }

    /// Leaves lemmas out until the others need each of them. The last ones first: they are about
    /// the largest cubes.
    fn shrink(&mut self) -> Result<(), Unknown> {
        loop {
            let before = self.supports.len();
            for lemma in self.lemmas().into_iter().rev() {
                if self.supports.contains_key(&Duty::Lemma(lemma))
                    && let Some(others) = self.without(lemma)?
                {
                    self.supports.extend(others);
                    self.supports.remove(&Duty::Lemma(lemma));
                    self.collect();
                }
            }
            if self.supports.len() == before {
                return Ok(());
            }
        }
    }

    /// Other supports for all duties that a lemma supports, if there are.
    fn without(&mut self, lemma: usize) -> Result<Option<Vec<Support>>, Unknown> {
        let mut rest = self.lemmas();
        rest.retain(|&i| i != lemma);
        let own = Duty::Lemma(lemma);
        let users = self.supports.iter().filter(|(c, s)| **c != own && s.contains(&lemma));
        let mut others = Vec::new();
        for duty in users.map(|(duty, _)| *duty).collect::<Vec<_>>() {
            match self.support(duty, &rest)? {
                Some(support) => others.push((duty, support)),
                None => return Ok(None),
            }
        }
        Ok(Some(others))
    }

    /// Forgets the lemmas that support nothing but each other.
    fn collect(&mut self) {
        let safe = |duty: &Duty| matches!(duty, Duty::Safe(_));
        let mut todo: Vec<Duty> = self.supports.keys().copied().filter(safe).collect();
        let mut reached: BTreeSet<Duty> = todo.iter().copied().collect();
        while let Some(duty) = todo.pop() {
            let support = self.supports[&duty].iter().map(|&i| Duty::Lemma(i));
            todo.extend(support.filter(|c| reached.insert(*c)));
        }
        self.supports.retain(|duty, _| reached.contains(duty));
    }

    /// Some of these lemmas that are enough for a duty, if all of them are.
    fn support(&mut self, duty: Duty, lemmas: &[usize]) -> Result<Option<Vec<usize>>, Unknown> {
        let arena = &mut self.space.system.arena;
        let switches: Vec<FormulaId> =
            lemmas.iter().map(|&i| arena.rel(self.frames.lemmas[i].1, &[])).collect();
        let (steps, cube) = match duty {
            Duty::Safe(location) => (&mut self.solvers.errors[location], None),
            Duty::Lemma(i) => {
                let lemma = &self.frames.lemmas[i].0;
                (&mut self.solvers.into[lemma.at.0], Some(&lemma.cube))
            }
        };
        let core = steps.needed(self.space, &switches, cube, &self.limits)?;
        Ok(core.map(|core| core.into_iter().map(|i| lemmas[i]).collect()))
    }
}

fn not_inductive() -> Unknown {
    Unknown::Incomplete("the invariant is not inductive".into())
}
