//! Abstract interpretation with patterns: the fastest oracle, and the one that is asked first.
//!
//! From loop head to loop head everything is done by [`Post`]; at a loop head what is not read any
//! more is forgotten, nodes are merged by keys, and patterns of one skeleton are joined. If some
//! check may fail, the next features of [`Keys::LADDER`] are tried.
//!
//! **Invariant:** where the outcome is [`Outcome::Finished`] without events, the labels of the heads
//! are an invariant under which no check fails.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use trellis_logic::{Budget, StopReason};
use trellis_patterns::PatternProgram;
use trellis_patterns::pattern::{Label, Pattern};
use trellis_program::CheckSet;
use trellis_program::checks::Point;

use crate::flow::{cost, enter, through};
use crate::merge::{Keys, Skeleton, blur, join, skeleton};
use crate::post::{Event, Post, What};

/// How an analysis ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything was looked at.
    Finished,
    /// Joined patterns kept changing.
    Diverged,
    /// The budget was used up.
    Stopped(StopReason),
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// How it ended.
    pub outcome: Outcome,
    /// By what nodes were told apart.
    pub keys: Keys,
    /// What holds at every loop head that is reached.
    pub labels: BTreeMap<usize, Label>,
    /// What may go wrong, the first way to each.
    pub events: Vec<Event>,
    /// How many steps were taken.
    pub steps: u64,
    /// Whether the labels were confirmed without the engine; see [`refine`].
    pub is_confirmed: bool,
}

impl Analysis {
    /// Whether it is a proof.
    pub fn is_proof(&self) -> bool {
        self.outcome == Outcome::Finished && self.events.is_empty()
    }
}

/// More patterns at one block than this are not followed one by one.
const MOST_PATTERNS: usize = 4000;
/// Patterns at loop heads with more nodes than this are no generalisation of anything.
const MOST_NODES: usize = 32;
/// How often the pattern of a skeleton may grow at one head.
const MOST_JOINS: usize = 60;

/// Tries the keys one after the other; the first proof that `confirm` confirms, or the last attempt.
pub fn refine(
    program: &PatternProgram,
    checks: CheckSet,
    starts: &[Pattern],
    budget: &Budget,
    confirm: &dyn Fn(&BTreeMap<usize, Label>) -> bool,
) -> Analysis {
    let mut last = None;
    for keys in Keys::LADDER {
        let mut found = analyse(program, checks, starts, keys, budget);
        found.is_confirmed = found.is_proof() && confirm(&found.labels);
        let stop = found.is_confirmed || matches!(found.outcome, Outcome::Stopped(_));
        // What lies outside stays outside, however nodes are told apart.
        let outside = found.events.iter().any(|e| matches!(e.what, What::Outside(_)));
        last = Some(found);
        if stop || outside {
            break;
        }
    }
    last.expect("the ladder has a rung")
}

/// Analyses with some keys, until something may go wrong.
pub fn analyse(
    program: &PatternProgram,
    checks: CheckSet,
    starts: &[Pattern],
    keys: Keys,
    budget: &Budget,
) -> Analysis {
    analyse_from(program, checks, program.entry, starts, keys, budget)
}

/// The same from any block on.
pub fn analyse_from(
    program: &PatternProgram,
    checks: CheckSet,
    block: usize,
    starts: &[Pattern],
    keys: Keys,
    budget: &Budget,
) -> Analysis {
    let mut run = Run {
        post: Post { program, checks },
        keys,
        heads: BTreeMap::new(),
        seen: BTreeMap::new(),
        queue: VecDeque::new(),
        events: BTreeMap::new(),
        steps: 0,
    };
    let mut outcome = Outcome::Finished;
    if starts.iter().try_for_each(|start| run.arrive(block, start)).is_none() {
        outcome = Outcome::Diverged;
        run.queue.clear();
    }
    while let Some((block, pattern)) = run.queue.pop_front() {
        budget.work.spend(cost(&run.post, block, &pattern));
        if let Err(why) = budget.check() {
            outcome = Outcome::Stopped(why);
            break;
        }
        if run.is_old(block, &pattern) {
            continue;
        }
        if run.block(block, &pattern).is_none() {
            outcome = Outcome::Diverged;
            break;
        }
        if run.events.values().any(|e| e.what == What::TooLarge) {
            outcome = Outcome::Diverged;
        }
        if !run.events.is_empty() {
            break;
        }
    }
    let label = |found: BTreeMap<Skeleton, (Pattern, usize)>| {
        Label(found.into_values().map(|(pattern, _)| pattern).collect())
    };
    Analysis {
        outcome,
        keys,
        labels: run.heads.into_iter().map(|(head, found)| (head, label(found))).collect(),
        events: run.events.into_values().collect(),
        steps: run.steps,
        is_confirmed: false,
    }
}

struct Run<'a> {
    post: Post<'a>,
    keys: Keys,
    /// By head and skeleton: the pattern, and how often it grew.
    heads: BTreeMap<usize, BTreeMap<Skeleton, (Pattern, usize)>>,
    /// Patterns at other blocks.
    seen: BTreeMap<usize, BTreeSet<Pattern>>,
    queue: VecDeque<(usize, Pattern)>,
    /// By place and kind.
    events: BTreeMap<(Point, u32), Event>,
    steps: u64,
}

impl Run<'_> {
    /// Whether the pattern of a head has grown since it was queued.
    fn is_old(&self, block: usize, pattern: &Pattern) -> bool {
        let Some(found) = self.heads.get(&block) else { return false };
        found.get(&skeleton(pattern)).is_some_and(|(now, _)| now != pattern)
    }

    /// What a block makes of a pattern; `None` if there are too many.
    fn block(&mut self, block: usize, pattern: &Pattern) -> Option<()> {
        let mut events = Vec::new();
        self.steps += self.post.program.blocks[block].steps.len() as u64;
        let out = through(&self.post, block, pattern, &mut events);
        self.note(events);
        out.into_iter().try_for_each(|(to, pattern)| self.arrive(to, &pattern))
    }

    fn note(&mut self, events: Vec<Event>) {
        for event in events {
            let number = match event.what {
                What::Failed(kind, clause) => clause << 8 | kind as u32,
                What::Outside(_) => u32::MAX,
                What::TooLarge => u32::MAX - 1,
            };
            self.events.entry((event.point, number)).or_insert(event);
        }
    }

    /// A pattern reaches the start of a block.
    fn arrive(&mut self, block: usize, pattern: &Pattern) -> Option<()> {
        let mut events = Vec::new();
        let kept = enter(&self.post, block, pattern, &mut events);
        self.note(events);
        let program = self.post.program;
        let Some(pattern) = kept else { return Some(()) };
        if !program.heads.contains(&block) {
            let seen = self.seen.entry(block).or_default();
            if seen.insert(pattern.clone()) {
                self.queue.push_back((block, pattern));
            }
            return (self.seen[&block].len() <= MOST_PATTERNS).then_some(());
        }
        let pattern = blur(&pattern, self.keys);
        let found = self.heads.entry(block).or_default();
        let key = skeleton(&pattern);
        let joined = match found.get(&key) {
            None => (pattern, 0),
            Some((old, grown)) => {
                let new = join(old, &pattern, self.keys)?;
                if new == *old {
                    return Some(());
                }
                (new, grown + 1)
            }
        };
        let many = joined.1 > MOST_JOINS || joined.0.nodes.len() > MOST_NODES;
        self.queue.push_back((block, joined.0.clone()));
        found.insert(key, joined);
        (!many && found.len() <= MOST_PATTERNS).then_some(())
    }
}
