//! A small SAT solver for thousands of similar questions: conflict-driven clause learning with two
//! watched literals (Moskewicz et al. 2001), first unique implication points, and a queue of
//! variables in the order in which conflicts met them (Biere and Fröhlich 2015).
//!
//! What general solvers do not do, and what the rounds of `check` live from: the trail stays
//! between calls. A question whose assumptions begin like those of the last one goes on from there,
//! and a clause that is added takes back only the decisions that it contradicts.
//!
//! **Invariants**: level `i` of the trail decides assumption `i`, for as many levels as there are
//! assumptions; a level is empty if its assumption held already. A clause that has at most one
//! literal that is not false has its literal of the highest levels in front, and the literals after
//! the first decide the level of the first. Clauses without a literal at level zero that is true are
//! never forgotten unless they were learnt.

mod analyse;
mod queue;

use queue::Queue;

/// A literal: twice the variable, plus one if it is negated.
pub(crate) type Lit = u32;

type ClauseRef = u32;
const NO_CLAUSE: ClauseRef = u32::MAX;
/// Words before the literals of a clause: their number, and how many levels it touched if it was
/// learnt.
const HEADER: usize = 2;
/// In place of the number of levels: the clause was given.
const GIVEN: u32 = u32::MAX;

/// Conflicts between two restarts, times the sequence 1 1 2 1 1 2 4 ….
const RESTART: u64 = 100;
/// Learnt clauses that are kept before the first clearance.
const KEPT: usize = 2_000;
/// Literals found out for good before clauses are searched for them.
const FIXED: usize = 64;

pub(crate) enum Outcome {
    Model,
    /// The assumptions that cannot hold together.
    Conflict(Vec<Lit>),
    Stopped,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseRef,
    /// A literal of the clause; if it holds, the clause needs no look.
    blocker: Lit,
}

#[derive(Default)]
pub(crate) struct Cdcl {
    /// By literal: positive if it holds, negative if it does not, zero if it is open.
    values: Vec<i8>,
    /// By variable, while it has a value.
    levels: Vec<u32>,
    reasons: Vec<ClauseRef>,
    /// By variable: the value to try first. It is not the last one it had: models stay sparse, and
    /// violate few clauses.
    phases: Vec<bool>,
    /// By literal: the clauses that watch it.
    watches: Vec<Vec<Watch>>,
    clauses: Vec<u32>,
    learnt: Vec<ClauseRef>,
    trail: Vec<Lit>,
    /// Where each level begins.
    starts: Vec<usize>,
    /// What of the trail was propagated.
    done: usize,
    assumptions: Vec<Lit>,
    queue: Queue,
    /// The values of the last model.
    model: Vec<i8>,
    /// By variable, for `analyse`.
    seen: Vec<bool>,
    /// No assignment satisfies the clauses.
    hopeless: bool,
    conflicts: u64,
    allowed: usize,
    /// How long the trail of level zero was when clauses were last searched for it.
    cleaned: usize,
}

impl Cdcl {
    /// A new variable.
    pub(crate) fn variable(&mut self, phase: bool, early: bool) -> u32 {
        let var = self.phases.len() as u32;
        self.values.extend([0, 0]);
        self.levels.push(0);
        self.reasons.push(NO_CLAUSE);
        self.phases.push(phase);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.seen.push(false);
        self.queue.push(early);
        var
    }

    pub(crate) fn variables(&self) -> usize {
        self.phases.len()
    }

    fn value(&self, lit: Lit) -> i8 {
        self.values[lit as usize]
    }

    fn level_of(&self, lit: Lit) -> u32 {
        self.levels[lit as usize / 2]
    }

    fn level(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The value of a literal in all models, if it is known.
    pub(crate) fn fixed(&self, lit: Lit) -> Option<bool> {
        (self.value(lit) != 0 && self.level_of(lit) == 0).then(|| self.value(lit) > 0)
    }

    /// The value of a literal in the last model; `None` if its variable is younger.
    pub(crate) fn model(&self, lit: Lit) -> Option<bool> {
        self.model.get(lit as usize).map(|&value| value > 0)
    }

    /// Adds a clause.
    pub(crate) fn add(&mut self, clause: &[Lit]) {
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let tautology = lits.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
        if tautology || lits.iter().any(|&l| self.fixed(l) == Some(true)) {
            return;
        }
        lits.retain(|&l| self.fixed(l).is_none());
        match lits[..] {
            [] => self.hopeless = true,
            [unit] => {
                self.backtrack(0);
                self.assign(unit, NO_CLAUSE);
            }
            _ => self.add_long(lits),
        }
    }

    fn add_long(&mut self, mut lits: Vec<Lit>) {
        // Those that hold or are open come first, then those whose falsity is taken back first.
        let rank = |cdcl: &Cdcl, lit: Lit| match cdcl.value(lit) {
            0 => u32::MAX,
            1 => u32::MAX - 1,
            _ => cdcl.level_of(lit),
        };
        lits.sort_by_key(|&l| std::cmp::Reverse(rank(self, l)));
        let (first, second) = (lits[0], lits[1]);
        let clause = self.attach(&lits, GIVEN);
        if self.value(second) >= 0 {
            return;
        }
        let level = self.level_of(second);
        let holds = self.value(first) > 0 && self.level_of(first) <= level;
        if holds {
            return;
        }
        if self.value(first) < 0 && self.level_of(first) == level {
            self.backtrack(level - 1);
        } else {
            self.backtrack(level);
            self.assign(first, clause);
        }
    }

    fn attach(&mut self, lits: &[Lit], levels: u32) -> ClauseRef {
        let clause = self.clauses.len() as ClauseRef;
        self.clauses.extend([lits.len() as u32, levels]);
        self.clauses.extend_from_slice(lits);
        self.watches[lits[0] as usize].push(Watch { clause, blocker: lits[1] });
        self.watches[lits[1] as usize].push(Watch { clause, blocker: lits[0] });
        if levels != GIVEN {
            self.learnt.push(clause);
        }
        clause
    }

    fn literals(&self, clause: ClauseRef) -> &[Lit] {
        let start = clause as usize;
        &self.clauses[start + HEADER..][..self.clauses[start] as usize]
    }

    fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert_eq!(self.value(lit), 0);
        self.values[lit as usize] = 1;
        self.values[lit as usize ^ 1] = -1;
        self.levels[lit as usize / 2] = self.level();
        self.reasons[lit as usize / 2] = reason;
        self.trail.push(lit);
    }

    /// Takes back all levels above this one.
    fn backtrack(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let start = self.starts[level as usize];
        for at in (start..self.trail.len()).rev() {
            let lit = self.trail[at];
            self.values[lit as usize] = 0;
            self.values[lit as usize ^ 1] = 0;
            self.queue.opened(lit / 2);
        }
        self.trail.truncate(start);
        self.starts.truncate(level as usize);
        self.done = self.done.min(start);
    }

    /// Draws conclusions; gives a clause that is false, if there is one.
    fn propagate(&mut self) -> Option<ClauseRef> {
        while let Some(&holds) = self.trail.get(self.done) {
            let lost = holds ^ 1;
            self.done += 1;
            let mut watches = std::mem::take(&mut self.watches[lost as usize]);
            let conflict = self.visit(lost, &mut watches);
            self.watches[lost as usize] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Looks at the clauses that watch a literal that has become false, and lets those that can
    /// watch another one.
    ///
    /// Nearly all time of a search is spent here, most of it with clauses whose blocker holds. So the
    /// fields that are needed are taken apart once: the compiler keeps what it knows of them, which it
    /// forgets of `self` at every write.
    fn visit(&mut self, lost: Lit, watches: &mut Vec<Watch>) -> Option<ClauseRef> {
        let level = self.level();
        let Cdcl { values, levels, reasons, clauses, trail, watches: others, .. } = self;
        let (values, clauses) = (&mut values[..], &mut clauses[..]);
        let (places, mut conflict) = (&mut watches[..], None);
        let holds = |values: &[i8], watch: &Watch| values[watch.blocker as usize] > 0;
        // Up to the first that moves away everything stays where it is.
        let (mut from, mut to) = (0, 0);
        while let Some(&watch) = places.get(from) {
            from += 1;
            if holds(values, &watch) {
                places[to] = watch;
                to += 1;
                continue;
            }
            let (header, rest) = clauses[watch.clause as usize..].split_at_mut(HEADER);
            let (watched, others_of) = rest[..header[0] as usize].split_at_mut(2);
            let first = watched[0] ^ watched[1] ^ lost;
            (watched[0], watched[1]) = (first, lost);
            let kept = Watch { clause: watch.clause, blocker: first };
            let value = values[first as usize];
            if value <= 0
                && let Some(other) = others_of.iter_mut().find(|l| values[**l as usize] >= 0)
            {
                std::mem::swap(&mut watched[1], other);
                others[watched[1] as usize].push(kept);
                continue;
            }
            places[to] = kept;
            to += 1;
            if value < 0 {
                conflict = Some(watch.clause);
                break;
            }
            if value == 0 {
                values[first as usize] = 1;
                values[first as usize ^ 1] = -1;
                levels[first as usize / 2] = level;
                reasons[first as usize / 2] = watch.clause;
                trail.push(first);
            }
        }
        if to < from {
            watches.copy_within(from.., to);
            watches.truncate(to + watches.len() - from);
        }
        conflict
    }

    /// Looks for a model of the clauses in which the assumptions hold. `stop` is asked now and then.
    pub(crate) fn solve(&mut self, assumptions: &[Lit], mut stop: impl FnMut() -> bool) -> Outcome {
        let same = self.assumptions.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        if same < assumptions.len() || same < self.assumptions.len() {
            self.backtrack(same as u32);
            self.assumptions.truncate(same);
            self.assumptions.extend_from_slice(&assumptions[same..]);
        }
        let (mut restarts, mut until) = (1, self.conflicts + RESTART);
        loop {
            if self.hopeless {
                return Outcome::Conflict(Vec::new());
            }
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                self.learn(conflict);
                continue;
            }
            if stop() {
                return Outcome::Stopped;
            }
            if self.conflicts >= until {
                restarts += 1;
                until = self.conflicts + RESTART * luby(restarts);
                self.backtrack(self.assumptions.len() as u32);
            }
            self.clean_up();
            match self.next_assumption() {
                Next::Fails(assumption) => return Outcome::Conflict(self.core(assumption)),
                Next::Decide(lit) => self.decide(lit),
                Next::AllHold => {
                    let (values, queue) = (&self.values, &mut self.queue);
                    let Some(var) = queue.next(|var| values[2 * var as usize] == 0) else {
                        self.model.clone_from(&self.values);
                        return Outcome::Model;
                    };
                    self.decide(2 * var + u32::from(!self.phases[var as usize]));
                }
                Next::Propagate => {}
            }
        }
    }

    fn decide(&mut self, lit: Lit) {
        self.starts.push(self.trail.len());
        self.assign(lit, NO_CLAUSE);
    }

    /// Gives a level to every assumption that holds already, up to one that does not.
    fn next_assumption(&mut self) -> Next {
        if self.done < self.trail.len() {
            return Next::Propagate;
        }
        while let Some(&assumption) = self.assumptions.get(self.level() as usize) {
            match self.value(assumption) {
                0 => return Next::Decide(assumption),
                1 => self.starts.push(self.trail.len()),
                _ => return Next::Fails(assumption),
            }
        }
        Next::AllHold
    }

    /// Forgets what cannot matter any more, if there is much of it.
    fn clean_up(&mut self) {
        let fixed = self.starts.first().copied().unwrap_or(self.trail.len());
        let too_many = self.learnt.len() > self.allowed.max(KEPT);
        if !too_many && fixed < self.cleaned + FIXED {
            return;
        }
        self.backtrack(0);
        if too_many {
            self.allowed = self.allowed.max(KEPT) + KEPT / 4;
        }
        self.rebuild(too_many);
        self.cleaned = self.trail.len();
    }

    /// Writes the clauses anew without those that hold for good, and if `forget` is set without the
    /// worse half of the learnt ones. Only at level zero.
    fn rebuild(&mut self, forget: bool) {
        let mut levels: Vec<u32> =
            self.learnt.iter().map(|&c| self.clauses[c as usize + 1]).collect();
        levels.sort_unstable();
        let worst = match forget {
            true => levels.get(levels.len() / 2).copied().unwrap_or(GIVEN),
            false => GIVEN,
        };
        let old = std::mem::take(&mut self.clauses);
        self.learnt.clear();
        self.watches.iter_mut().for_each(Vec::clear);
        // What holds at level zero needs no reason.
        for &lit in &self.trail {
            self.reasons[lit as usize / 2] = NO_CLAUSE;
        }
        let mut at = 0;
        while at < old.len() {
            let (len, levels) = (old[at] as usize, old[at + 1]);
            let lits = &old[at + HEADER..][..len];
            at += HEADER + len;
            let dropped = levels != GIVEN && levels > 2 && levels >= worst;
            if dropped || lits.iter().any(|&l| self.value(l) > 0) {
                continue;
            }
            let lits: Vec<Lit> = lits.iter().copied().filter(|&l| self.value(l) == 0).collect();
            // Level zero was propagated, so there are at least two.
            self.attach(&lits, levels);
        }
    }
}

enum Next {
    AllHold,
    Decide(Lit),
    Fails(Lit),
    Propagate,
}

/// The sequence 1 1 2 1 1 2 4 1 1 2 …, counted from one.
fn luby(mut n: u64) -> u64 {
    loop {
        let k = 64 - n.leading_zeros();
        if n + 1 == 1 << k {
            return 1 << (k - 1);
        }
        n -= (1 << (k - 1)) - 1;
    }
}

#[cfg(test)]
mod tests;
