//! INTERPLEARNER, ISINTERPOLANT and NEWCANDIDATE (*Heap Interpolant Synthesis*, Algorithms 7 to 9).
//!
//! Three things differ from the paper, because its learner would never end otherwise:
//! * vertices are picked from the last one backwards, or every candidate is accepted;
//! * positives are those of the loop head, not of the path;
//! * where a candidate leaves a child's label without running into a failure, that label was too
//!   strong: the heap found there becomes a positive of the child, which is asked again.
//!
//! And a candidate replaces the old label: it must respect the labels of all children, so no
//! conjunction of patterns is needed.

use trellis_patterns::entail::entails;
use trellis_patterns::enumerate::{Samples, smallest};
use trellis_patterns::pattern::Label;

use crate::examples::{Refutation, accepts};
use crate::impact::{Done, Ending, Impact};
use crate::oracle::{Answer, Question};
use crate::post::coerce::coerce;
use crate::post::{Event, What};
use crate::unwinding::VertexId;

/// How often one vertex is asked about in a row.
const MOST_ROUNDS: usize = 40;
/// How often labels along one path are learnt anew.
const MOST_TURNS: usize = 60;

/// What NEWCANDIDATE came to.
enum Learnt {
    Accepted,
    /// The label of this child has to be asked for again.
    Child(VertexId),
}

impl Impact<'_> {
    /// INTERPLEARNER (Algorithm 7).
    pub(crate) fn learn(&mut self, path: &[VertexId]) -> Result<(), Ending> {
        let last = path[path.len() - 1];
        for _ in 0..MOST_TURNS {
            let Some(v) = self.first_fault(path)? else { return Ok(()) };
            if let Learnt::Child(child) = self.new_candidate(path, v)? {
                // A child on the path is learnt next, another one when it is its turn.
                self.tree.reopen(child);
            }
        }
        Err(self.stuck(last, "labels along a path kept changing", None))
    }

    /// ISINTERPOLANT (Algorithm 8): the last vertex of a path whose label does not do.
    fn first_fault(&self, path: &[VertexId]) -> Result<Option<VertexId>, Ending> {
        for (i, v) in path.iter().enumerate().rev() {
            let Some(label) = &self.tree.vertices[*v].label else { return Ok(Some(*v)) };
            let found = self.flow(*v, label)?;
            if let Some(event) = found.events.into_iter().next() {
                match i {
                    // Nothing is above the root that could be narrower.
                    0 => return Err(self.stuck(*v, "this may go wrong at once", Some(event))),
                    _ => return Ok(Some(*v)),
                }
            }
            let Some(next) = path.get(i + 1) else { continue };
            let words = &self.post.program.words;
            let (Some(allowed), arrives) =
                (&self.tree.vertices[*next].label, found.to.get(&self.tree.vertices[*next].block))
            else {
                continue;
            };
            let within = |l: &Label| l.0.iter().all(|p| entails(words, p, allowed).is_ok());
            if !arrives.is_none_or(within) {
                return Ok(Some(if i == 0 { *next } else { *v }));
            }
        }
        Ok(None)
    }

    /// NEWCANDIDATE (Algorithm 9).
    fn new_candidate(&mut self, path: &[VertexId], v: VertexId) -> Result<Learnt, Ending> {
        let strongest = self.strongest(path, v)?;
        let block = self.tree.vertices[v].block;
        for round in 0..MOST_ROUNDS {
            if let Err(why) = self.budget.check() {
                return Err(Ending::Stopped(why));
            }
            let known = self.examples.entry(block).or_default();
            let last = self.last.get(&v);
            let question = Question { vertex: v, block, examples: known, last, round };
            let candidate = match self.oracle.answer(&question) {
                Answer::Candidate(label) => label,
                Answer::Pending => return Err(Ending::Pending { vertex: v }),
                Answer::GiveUp => {
                    let event = self.trouble(v);
                    return Err(self.stuck(v, "the oracle gave up", event));
                }
            };
            self.questions += 1;
            self.log.push(Done::Proposed(v));
            self.last.insert(v, candidate.clone());
            let Some(candidate) = self.well_formed(&candidate) else {
                self.log.push(Done::Malformed(v));
                continue;
            };
            if self.misses(v, &strongest, &candidate) {
                continue;
            }
            match self.too_wide(v, &candidate)? {
                None => {
                    self.oracle.accepted(block, &candidate);
                    self.tree.relabel(v, candidate);
                    self.log.push(Done::Accepted(v));
                    return Ok(Learnt::Accepted);
                }
                Some(Some(child)) => return Ok(Learnt::Child(child)),
                Some(None) => {}
            }
        }
        let event = self.trouble(v);
        Err(self.stuck(v, "no candidate was accepted", event))
    }

    /// What goes wrong from the last proposal for a vertex.
    fn trouble(&self, v: VertexId) -> Option<Event> {
        let label = self.well_formed(self.last.get(&v)?)?;
        self.flow(v, &label).ok()?.events.into_iter().next()
    }

    /// A proposal without what no heap has; `None` if it is no label of this procedure.
    fn well_formed(&self, label: &Label) -> Option<Label> {
        let words = &self.post.program.words;
        if label.0.iter().any(|p| p.fault(words).is_some()) {
            return None;
        }
        Some(Label(label.0.iter().filter_map(|p| coerce(words, p.clone())).collect()))
    }

    /// Post* from the root along the path to a vertex.
    fn strongest(&self, path: &[VertexId], v: VertexId) -> Result<Label, Ending> {
        let mut label = self.tree.vertices[path[0]].label.clone().unwrap_or_default();
        for pair in path.windows(2) {
            if pair[0] == v {
                break;
            }
            let mut found = self.flow(pair[0], &label)?;
            label = found.to.remove(&self.tree.vertices[pair[1]].block).unwrap_or_default();
        }
        Ok(label)
    }

    /// Whether a candidate misses something that is reached; if so, that is a positive now.
    fn misses(&mut self, v: VertexId, strongest: &Label, candidate: &Label) -> bool {
        let block = self.tree.vertices[v].block;
        let program = self.post.program;
        let words = &program.words;
        let known = self.examples.entry(block).or_default();
        if let Some(i) = known.positives.iter().position(|e| !accepts(program, candidate, &e.heap))
        {
            self.log.push(Done::TooNarrow(v, i));
            return true;
        }
        let pool = self.pool.heaps.get(&block).into_iter().flatten();
        if let Some(heap) = pool.into_iter().find(|h| !accepts(program, candidate, h)) {
            known.must_fit(heap.clone(), true);
            self.log.push(Done::TooNarrow(v, known.positives.len() - 1));
            return true;
        }
        for pattern in &strongest.0 {
            let Err(case) = entails(words, pattern, candidate) else { continue };
            // Entailment may fail without a heap to show it.
            let heap = smallest(words, &case, 8, Samples(2)).map(|h| h.normalised());
            match heap.filter(|h| !accepts(program, candidate, h)) {
                Some(heap) => {
                    known.must_fit(heap, false);
                    self.log.push(Done::TooNarrow(v, known.positives.len() - 1));
                }
                None => self.log.push(Done::Undecided(v)),
            }
            return true;
        }
        false
    }

    /// Whether a candidate allows too much: `None` if not. If a child's label is to blame, it is
    /// returned.
    fn too_wide(
        &mut self,
        v: VertexId,
        candidate: &Label,
    ) -> Result<Option<Option<VertexId>>, Ending> {
        let found = self.flow(v, candidate)?;
        let program = self.post.program;
        let children = self.tree.vertices[v].children.clone().unwrap_or_default();
        let label_at = |block: usize| {
            let child = children.iter().find(|c| self.tree.vertices[**c].block == block);
            child.and_then(|c| self.tree.vertices[*c].label.as_ref().map(|l| (*c, l)))
        };
        let leaves = |(block, label): (&usize, &Label)| {
            let Some((_, allowed)) = label_at(*block) else { return false };
            label.0.iter().any(|p| entails(&program.words, p, allowed).is_err())
        };
        let outside = found.events.iter().find(|e| matches!(e.what, What::Outside(_)));
        if let Some(event) = outside {
            return Err(self.stuck(v, "this is outside of what is followed", Some(event.clone())));
        }
        if found.events.is_empty() && !found.to.iter().any(leaves) {
            return Ok(None);
        }
        let allowed = |block: usize, heap: &trellis_patterns::heap::Heap| {
            label_at(block).is_none_or(|(_, label)| accepts(program, label, heap))
        };
        let block = self.tree.vertices[v].block;
        let mut refuted = self.runner.refute(block, candidate, &allowed);
        if refuted.is_none() && self.oracle.is_patient() {
            refuted = self.runner.refute_longer(block, candidate, &allowed);
        }
        let child = match &refuted {
            Some(Refutation::Implication(i)) => label_at(i.block).map(|(c, _)| c),
            _ => None,
        };
        let known = self.examples.entry(block).or_default();
        match refuted {
            None => {
                self.log.push(Done::Undecided(v));
                Ok(Some(None))
            }
            Some(Refutation::Negative(negative)) => {
                known.negatives.push(negative);
                self.log.push(Done::TooWide(v, known.negatives.len() - 1));
                Ok(Some(None))
            }
            Some(Refutation::Implication(found)) => {
                known.implications.push(found.clone());
                self.log.push(Done::NotKept(v, known.implications.len() - 1));
                self.examples.entry(found.block).or_default().must_fit(found.after, false);
                Ok(Some(child))
            }
        }
    }
}
