//! Cleaning (section 3.2): heaps, and cubes of heaps, that no state satisfies are dropped; what is left
//! is strengthened by the guard of a path.
//!
//! The paper splits a heap and asks of each part, and of each cube of it, whether it is satisfiable.
//! Here the parts are read off models: a model of the heap and the guard has a [`Signature`], which is
//! that of a satisfiable part, and its objects are in satisfiable cubes. The next question excludes
//! the signatures found so far, unless the cubes of the heap leave room for no other. The result is the
//! same, `Clean(guard, Split(H))`, with a question for each part that is there, and none for the others.
//!
//! **Invariant.** guard ∧ γ(H) ⊨ γ(parts) ⊨ γ(H).

use std::collections::BTreeSet;

use trellis_logic::FormulaId;
use trellis_solver::Unknown;

use crate::cube::{Bits, ObjectCube};
use crate::heap::Heap;
use crate::meaning;
use crate::predicates::Predicates;
use crate::questions::Questions;
use crate::split::Signature;
use crate::step::{Asked, End, Step};

/// More parts of one heap than this are given up.
const MOST_PARTS: usize = 1000;

/// The satisfiable parts of a heap at an end of a path, without the cubes that no object is in. With
/// `split` there is one for every signature, else only one.
///
/// # Errors
/// If a solver does not know.
pub fn clean(
    questions: &mut Questions<'_>,
    step: &mut Step,
    predicates: &Predicates,
    end: End,
    heap: &Heap,
    split: bool,
) -> Result<Vec<Heap>, Unknown> {
    let mut work = Cleaning { questions, step, predicates, end, heap, split };
    let says = work.step.view(end).formulas.clone();
    let all = meaning::of_heap(&mut work.questions.system.arena, work.questions.var, &says, heap);
    let mut done: Vec<Option<Signature>> = Vec::new();
    let mut blocked = vec![all];
    let mut parts = Vec::new();
    let most = Signature::most(predicates, heap);
    while let Some(signature) = work.next_signature(&done, &blocked)? {
        let (part, said) = work.part(all, signature.as_ref())?;
        parts.push(part);
        if parts.len() > MOST_PARTS {
            let why = format!("a Boolean heap has more than {MOST_PARTS} parts");
            return Err(Unknown::Incomplete(why));
        }
        let other = work.questions.system.arena.not(said);
        blocked.push(other);
        done.push(signature);
        if !split || done.len() >= most {
            break;
        }
    }
    Ok(parts)
}

struct Cleaning<'w, 'a> {
    questions: &'w mut Questions<'a>,
    step: &'w mut Step,
    predicates: &'w Predicates,
    end: End,
    heap: &'w Heap,
    split: bool,
}

impl Cleaning<'_, '_> {
    fn signature(&self, sample: usize) -> Option<Signature> {
        let sample = &self.step.cache.samples[sample];
        self.split.then(|| Signature::of(self.predicates, sample, self.end))
    }

    /// The samples that are states of the heap.
    fn fitting(&self) -> impl Iterator<Item = usize> {
        let samples = self.step.cache.samples.iter().enumerate();
        let fits = samples.filter(|(_, s)| s.at(self.end).iter().all(|c| self.heap.contains(*c)));
        fits.map(|(i, _)| i)
    }

    /// A signature that is not among those that are done; one of `None` if there is no splitting.
    fn next_signature(
        &mut self,
        done: &[Option<Signature>],
        blocked: &[FormulaId],
    ) -> Result<Option<Option<Signature>>, Unknown> {
        let known = self.fitting().map(|i| self.signature(i)).find(|s| !done.contains(s));
        if let Some(known) = known {
            self.questions.counts.hits += 1;
            return Ok(Some(known));
        }
        Ok(match self.step.ask(self.questions, blocked)? {
            Asked::Never(_) => None,
            Asked::Sometimes(sample) => Some(self.signature(sample)),
        })
    }

    /// The part of the heap with a signature, and what the signature says.
    fn part(
        &mut self,
        all: FormulaId,
        signature: Option<&Signature>,
    ) -> Result<(Heap, FormulaId), Unknown> {
        let said = match signature {
            Some(signature) => self.says(signature),
            None => FormulaId::TRUE,
        };
        let space = &self.predicates.space;
        let bound = match signature {
            Some(signature) => signature.restrict(self.predicates, self.heap),
            None => self.heap.clone(),
        };
        let same = self.fitting().filter(|&i| self.signature(i).as_ref() == signature);
        let same: Vec<usize> = same.collect();
        let mut found: BTreeSet<Bits> = BTreeSet::new();
        for sample in same {
            found.extend(self.step.cache.samples[sample].at(self.end));
        }
        let mut clean = space.of_all(found);
        loop {
            let rest = bound.without(&clean);
            if rest.is_empty() {
                return Ok((clean, said));
            }
            let arena = &mut self.questions.system.arena;
            let open = meaning::of_object(arena, &self.step.view(self.end).of_object, &rest);
            match self.step.ask(self.questions, &[all, said, open])? {
                Asked::Never(_) => return Ok((clean, said)),
                Asked::Sometimes(sample) => {
                    let cubes = self.step.cache.samples[sample].at(self.end).iter().copied();
                    clean = clean.join(&space.of_all(cubes));
                }
            }
        }
    }

    /// What a signature says of a state.
    fn says(&mut self, signature: &Signature) -> FormulaId {
        let view = self.step.view(self.end).clone();
        let arena = &mut self.questions.system.arena;
        let states = ObjectCube::of(self.predicates.states, signature.states);
        let mut parts = meaning::literals(arena, &view.formulas, states);
        let all = self.predicates.space.all();
        for (says, &bits) in view.of_single.iter().zip(&signature.singles) {
            parts.push(meaning::of_cube(arena, says, ObjectCube::of(all, bits)));
        }
        arena.and(parts)
    }
}
