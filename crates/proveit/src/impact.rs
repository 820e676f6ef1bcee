//! PROVEIT (*Heap Interpolant Synthesis*, section 5.2): EXPANDP, REFINEP and COVERP until nothing
//! is left to do.
//!
//! | paper | here |
//! |---|---|
//! | Algorithm 4, EXPANDP | [`Impact::expand`] |
//! | Algorithm 5, REFINEP | [`Impact::refine`] |
//! | Algorithm 6, COVERP | [`Unwinding::cover`], `close` with forced covering |
//! | Algorithms 7 to 9 | `learn` |
//!
//! **Invariant:** the unwinding is well-labelled after every step ([`crate::unwinding`]).
//! *Violated* is said of a run of the machine only, *proved* of a complete and safe unwinding only.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{Budget, StopReason};
use trellis_patterns::entail::entails;
use trellis_patterns::pattern::{Label, Pattern};

use crate::examples::{Crash, Examples, Pool, Runner};
use crate::flow::{Flow, flow};
use crate::oracle::Oracle;
use crate::post::{Event, Post};
use crate::unwinding::{Unwinding, VertexId};

/// How a search ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// The labels at loop heads are an invariant.
    Proved(BTreeMap<usize, Label>),
    /// The machine fails a check.
    Violated(Box<Crash>),
    /// No oracle could refute an error path.
    Unknown(Box<Stuck>),
    /// A question waits for its answer.
    Pending {
        /// The vertex that needs a label.
        vertex: VertexId,
    },
    /// The budget is used up.
    Stopped(StopReason),
}

/// Why a search gave up.
#[derive(Clone, Debug)]
pub struct Stuck {
    /// The block of the vertex that has no label.
    pub block: usize,
    /// As a sentence without a full stop.
    pub reason: String,
    /// What may go wrong, if that is known.
    pub event: Option<Event>,
}

/// What was done, for transcripts and people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// A vertex was made.
    Expanded(VertexId),
    /// One vertex covers another.
    Covered(VertexId, VertexId),
    /// A label was proposed for a vertex.
    Proposed(VertexId),
    /// The proposal misses a heap that is reached (its number among the positives).
    TooNarrow(VertexId, usize),
    /// The proposal has a heap that leads into a failure (its number among the negatives).
    TooWide(VertexId, usize),
    /// The proposal has a heap that leads out of the next label (its number among the
    /// implications).
    NotKept(VertexId, usize),
    /// The proposal fails in patterns, but no heap shows it.
    Undecided(VertexId),
    /// The proposal is no pattern of this procedure.
    Malformed(VertexId),
    /// It is the label of the vertex.
    Accepted(VertexId),
}

/// What a search cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Vertices of the unwinding.
    pub vertices: usize,
    /// Of these, covered.
    pub covers: usize,
    /// Questions to the oracle.
    pub questions: usize,
    /// Positive examples shown.
    pub positives: usize,
    /// Negative examples and implications shown.
    pub negatives: usize,
}

/// Most vertices of an unwinding.
const MOST_VERTICES: usize = 300;
/// Heaps of a loop head that the machine is asked for.
pub const POOL: usize = 120;
/// Positives that an automatic oracle begins with.
pub const MANY: usize = 40;
/// Positives that a person begins with.
pub const FEW: usize = 4;

/// The search.
pub struct Impact<'a> {
    /// What statements do.
    pub post: Post<'a>,
    /// The machine.
    pub runner: Runner<'a>,
    /// Who proposes patterns.
    pub oracle: &'a mut dyn Oracle,
    /// How much it may cost.
    pub budget: &'a Budget,
    /// The tree.
    pub tree: Unwinding,
    /// By loop head.
    pub examples: BTreeMap<usize, Examples>,
    /// What the machine reached.
    pub pool: Pool,
    /// What was done.
    pub log: Vec<Done>,
    /// How many questions were asked.
    pub questions: usize,
    /// The label that was proposed last, by vertex.
    pub last: BTreeMap<VertexId, Label>,
}

impl<'a> Impact<'a> {
    /// A search that begins with so many positives a loop head.
    pub fn new(
        post: Post<'a>,
        runner: Runner<'a>,
        oracle: &'a mut dyn Oracle,
        budget: &'a Budget,
        starts: Vec<Pattern>,
        positives: usize,
    ) -> Impact<'a> {
        let pool = runner.pool(&starts, POOL);
        let mut examples: BTreeMap<usize, Examples> = BTreeMap::new();
        for (block, heaps) in &pool.heaps {
            let known = examples.entry(*block).or_default();
            heaps.iter().take(positives).for_each(|h| {
                known.must_fit(h.clone(), true);
            });
        }
        let tree = Unwinding::new(post.program.entry, starts);
        let (log, last) = (Vec::new(), BTreeMap::new());
        Impact { post, runner, oracle, budget, tree, examples, pool, log, questions: 0, last }
    }

    /// UNWIND: expands, refines and covers until the unwinding is complete and safe.
    pub fn unwind(&mut self) -> Ending {
        // REFINEP never reports a bug; the machine does, before anything is asked.
        if let Some(crash) = self.pool.crash.take() {
            return Ending::Violated(Box::new(crash));
        }
        while let Some(v) = self.tree.open_leaf() {
            if let Err(why) = self.budget.check() {
                return Ending::Stopped(why);
            }
            if self.tree.vertices.len() > MOST_VERTICES {
                return self.stuck(v, "the unwinding grew too large", None);
            }
            if self.close(v) {
                continue;
            }
            if let Err(end) = self.refine(v) {
                return end;
            }
            if !self.close(v) {
                self.expand(v);
            }
        }
        Ending::Proved(self.invariant())
    }

    /// EXPANDP (Algorithm 4): a child for every loop head that may come next.
    pub fn expand(&mut self, v: VertexId) {
        let block = self.tree.vertices[v].block;
        let mut children = Vec::new();
        for next in self.next_heads(block) {
            let child = self.tree.add(Some(v), next);
            self.log.push(Done::Expanded(child));
            children.push(child);
        }
        self.tree.vertices[v].children = Some(children);
    }

    /// REFINEP (Algorithm 5): labels along the path to a vertex under which nothing goes wrong
    /// there.
    pub fn refine(&mut self, v: VertexId) -> Result<(), Ending> {
        let path = self.tree.path(v);
        self.learn(&path)
    }

    /// Covers a vertex if an earlier one can cover it. A vertex without a label takes that of the
    /// other one if its parent allows it: *forced covering*, which saves the question.
    fn close(&mut self, v: VertexId) -> bool {
        for w in self.tree.candidates(v) {
            if self.tree.vertices[v].label.is_none() {
                let Some(label) = self.tree.vertices[w].label.clone() else { continue };
                if !self.arrives_within(v, &label) {
                    continue;
                }
                self.tree.vertices[v].label = Some(label);
            }
            let words = &self.post.program.words;
            let all = |a: &Label, b: &Label| a.0.iter().all(|p| entails(words, p, b).is_ok());
            if self.tree.cover(v, w, all) {
                self.log.push(Done::Covered(v, w));
                return true;
            }
        }
        false
    }

    /// Whether what the parent of a vertex leads to there entails a label.
    fn arrives_within(&self, v: VertexId, label: &Label) -> bool {
        let Some(parent) = self.tree.vertices[v].parent else { return false };
        let Some(from) = &self.tree.vertices[parent].label else { return false };
        let block = self.tree.vertices[parent].block;
        let Ok(found) = flow(&self.post, block, from, &self.budget.work) else { return false };
        let words = &self.post.program.words;
        let there = found.to.get(&self.tree.vertices[v].block);
        there.is_none_or(|l| l.0.iter().all(|p| entails(words, p, label).is_ok()))
    }

    /// What a label of a vertex leads to.
    pub(crate) fn flow(&self, v: VertexId, label: &Label) -> Result<Flow, Ending> {
        let block = self.tree.vertices[v].block;
        flow(&self.post, block, label, &self.budget.work)
            .map_err(|_| self.stuck(v, "too many patterns between two loop heads", None))
    }

    pub(crate) fn stuck(&self, v: VertexId, reason: &str, event: Option<Event>) -> Ending {
        let block = self.tree.vertices[v].block;
        Ending::Unknown(Box::new(Stuck { block, reason: reason.to_owned(), event }))
    }

    /// The loop heads that may come next after a block.
    fn next_heads(&self, block: usize) -> BTreeSet<usize> {
        let program = self.post.program;
        let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut todo: Vec<usize> = program.blocks[block].exit.successors().collect();
        while let Some(b) = todo.pop() {
            if program.heads.contains(&b) {
                found.insert(b);
            } else if seen.insert(b) {
                todo.extend(program.blocks[b].exit.successors());
            }
        }
        found
    }

    /// The labels of all vertices that are not covered, by loop head.
    fn invariant(&self) -> BTreeMap<usize, Label> {
        let mut out: BTreeMap<usize, BTreeSet<Pattern>> = BTreeMap::new();
        for (v, vertex) in self.tree.present() {
            if vertex.parent.is_some() && !self.tree.is_covered(v) {
                let label = vertex.label.iter().flat_map(|l| l.0.iter().cloned());
                out.entry(vertex.block).or_default().extend(label);
            }
        }
        let label = |all: BTreeSet<Pattern>| Label(all.into_iter().collect());
        out.into_iter().filter(|(_, all)| !all.is_empty()).map(|(b, all)| (b, label(all))).collect()
    }

    /// What is wrong with a finished unwinding: an edge or a cover that does not hold, a leaf that
    /// is open, a check that may fail. `None` if it is well-labelled, complete and safe
    /// (Definitions 3 and 8). The search does not ask; tests do.
    pub fn flaw(&self) -> Option<String> {
        if let Some(leaf) = self.tree.open_leaf() {
            return Some(format!("{leaf} is a leaf that nobody covers"));
        }
        self.tree.present().find_map(|(v, _)| self.flaw_at(v))
    }

    fn flaw_at(&self, v: VertexId) -> Option<String> {
        let words = &self.post.program.words;
        let within = |a: &Label, b: &Label| a.0.iter().all(|p| entails(words, p, b).is_ok());
        let vertex = &self.tree.vertices[v];
        let parent_is_covered = vertex.parent.is_some_and(|p| self.tree.is_covered(p));
        if parent_is_covered {
            return None;
        }
        let Some(label) = &vertex.label else { return Some(format!("{v} has no label")) };
        if let Some(w) = vertex.covered_by {
            let other = &self.tree.vertices[w];
            let holds = other.label.as_ref().is_some_and(|l| within(label, l));
            let may = w < v && !other.is_gone && other.block == vertex.block;
            let may = may && !self.tree.is_covered(w);
            return (!holds || !may).then(|| format!("{v} is covered by {w}"));
        }
        let Ok(found) = self.flow(v, label) else { return Some(format!("{v} leads too far")) };
        if !found.events.is_empty() {
            return Some(format!("something may go wrong at {v}"));
        }
        let children = vertex.children.iter().flatten();
        let labels: BTreeMap<usize, &Label> = children
            .map(|c| &self.tree.vertices[*c])
            .filter(|c| !c.is_gone && c.parent == Some(v))
            .filter_map(|c| Some((c.block, c.label.as_ref()?)))
            .collect();
        let missed = found.to.iter().find(|(b, l)| !labels.get(b).is_some_and(|m| within(l, m)));
        missed.map(|(block, _)| format!("{v} leads out of its child at block {block}"))
    }

    /// What the search cost so far.
    pub fn counts(&self) -> Counts {
        let shown = |f: fn(&Examples) -> usize| self.examples.values().map(f).sum();
        Counts {
            vertices: self.tree.present().count(),
            covers: self.tree.covers(),
            questions: self.questions,
            positives: shown(|e| e.positives.len()),
            negatives: shown(|e| e.negatives.len() + e.implications.len()),
        }
    }
}
