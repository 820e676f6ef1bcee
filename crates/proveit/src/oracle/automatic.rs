//! The automatic oracle.
//!
//! It proposes, in this order and each once a vertex:
//! 1. the labels of an abstract interpretation that succeeded ([`mod@crate::analyse`]);
//! 2. what was accepted at the same loop head before, and then at others;
//! 3. the positives closed under Post and merging, with the first keys that go wrong nowhere and
//!    exclude the negatives;
//! 4. the positives with nodes merged by the first keys that exclude the negatives.
//!
//! Each must fit all positives and no negative; when nothing is left, it gives up.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::Budget;
use trellis_patterns::PatternProgram;
use trellis_patterns::matching::fits;
use trellis_patterns::pattern::{Label, Pattern, Target};
use trellis_program::CheckSet;

use super::{Answer, Oracle, Question};
use crate::analyse::analyse_from;
use crate::examples::{Examples, concrete};
use crate::merge::{Keys, Skeleton, blur, join, skeleton};
use crate::post::Post;
use crate::unwinding::VertexId;

/// Proposes patterns by itself.
#[derive(Debug)]
pub struct Automatic<'a> {
    program: &'a PatternProgram,
    checks: CheckSet,
    budget: &'a Budget,
    /// Labels of an abstract interpretation, by loop head.
    first: BTreeMap<usize, Label>,
    /// What worked, by loop head.
    remembered: BTreeMap<usize, Vec<Label>>,
    /// What was proposed for which vertex.
    proposed: BTreeSet<(VertexId, Label)>,
}

impl<'a> Automatic<'a> {
    /// With the labels of an abstract interpretation, if there are any.
    pub fn new(
        program: &'a PatternProgram,
        checks: CheckSet,
        budget: &'a Budget,
        first: BTreeMap<usize, Label>,
    ) -> Automatic<'a> {
        let (remembered, proposed) = (BTreeMap::new(), BTreeSet::new());
        Automatic { program, checks, budget, first, remembered, proposed }
    }

    /// The positives as patterns that stand for nothing else.
    fn positives(&self, question: &Question<'_>) -> Vec<Pattern> {
        let all = question.examples.positives.iter().map(|e| &e.heap);
        all.map(|h| concrete(self.program, question.block, h)).collect()
    }

    /// Closed under Post and merging.
    fn closed(&self, question: &Question<'_>, positives: &[Pattern], keys: Keys) -> Option<Label> {
        let found =
            analyse_from(self.program, self.checks, question.block, positives, keys, self.budget);
        if !found.is_proof() {
            return None;
        }
        found.labels.get(&question.block).cloned()
    }

    /// A label of another loop head, without what is not read here; `None` if it says too little.
    fn elsewhere(&self, block: usize, label: &Label) -> Option<Label> {
        let code = &self.program.blocks[block];
        let post = Post { program: self.program, checks: self.checks };
        let mut patterns = Vec::new();
        for pattern in &label.0 {
            let mut vars = pattern.vars.iter().zip(&code.live_pointers);
            if vars.any(|(target, live)| *live && *target == Target::Dead) {
                return None;
            }
            patterns.extend(post.forget(pattern, &code.live_pointers, &code.live_scalars).0);
        }
        Some(Label(patterns))
    }

    /// Merged by keys, joined by skeleton; none if the keys tell too many nodes apart.
    fn merged(positives: &[Pattern], keys: Keys) -> Option<Label> {
        let mut found: BTreeMap<Skeleton, Pattern> = BTreeMap::new();
        for pattern in positives {
            let new = blur(pattern, keys);
            let joined = match found.get(&skeleton(&new)) {
                Some(old) => join(old, &new, keys)?,
                None => new,
            };
            found.insert(skeleton(&joined), joined);
        }
        Some(Label(found.into_values().collect()))
    }
}

/// Whether a label fits all positives and no negative.
pub fn separates(program: &PatternProgram, label: &Label, examples: &Examples) -> bool {
    let accepts = |heap| label.0.iter().any(|p| fits(&program.words, p, heap).is_ok());
    examples.positives.iter().all(|e| accepts(&e.heap))
        && !examples.negatives.iter().any(|e| accepts(&e.heap))
}

impl Oracle for Automatic<'_> {
    fn answer(&mut self, question: &Question<'_>) -> Answer {
        let positives = self.positives(question);
        let known = self.first.get(&question.block).into_iter().cloned();
        let known =
            known.chain(self.remembered.get(&question.block).cloned().into_iter().flatten());
        let mut known: Vec<Label> = known.collect();
        let this = &*self;
        let others = this.remembered.iter().filter(|(block, _)| **block != question.block);
        let others = others.flat_map(|(_, labels)| labels);
        known.extend(others.filter_map(|label| this.elsewhere(question.block, label)));
        let closed = Keys::LADDER.into_iter().filter_map(|k| this.closed(question, &positives, k));
        let merged = Keys::LADDER.into_iter().filter_map(|k| Self::merged(&positives, k));
        let mut all = known.into_iter().chain(closed).chain(merged);
        let found = all.find(|label| {
            !this.proposed.contains(&(question.vertex, label.clone()))
                && separates(this.program, label, question.examples)
        });
        match found {
            None => Answer::GiveUp,
            Some(label) => {
                self.proposed.insert((question.vertex, label.clone()));
                Answer::Candidate(label)
            }
        }
    }

    fn accepted(&mut self, block: usize, label: &Label) {
        let labels = self.remembered.entry(block).or_default();
        if !labels.contains(label) {
            labels.push(label.clone());
        }
    }
}
