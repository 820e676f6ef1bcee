//! Checks labels with the concrete machine, without any transformer of patterns.
//!
//! Labels at loop heads are an invariant if
//! 1. from every pattern that the procedure starts from ([`crate::initial`]), and from every pattern
//!    of a label, the machine gets to the next loop head only in states that the label there
//!    describes, and fails no check on the way;
//! 2. a label speaks of every variable that may still be read.
//!
//! A run needs a state, and a pattern stands for many. Its plain nodes become objects, and where
//! the run touches something that the pattern leaves open, the pattern is split into cases
//! ([`crate::unfold`]) and every case is run from the start. So a run sees the concrete cells that
//! it looks at; what it never looks at stays a summary node. Where it arrives, objects and summary
//! nodes are a pattern again, and [`crate::entail`] compares it with the label.
//!
//! * `partial`: machine states of patterns; `symbols`: integers that are not known
//! * `run`: the machine; `result`: the pattern where it arrives; `lost`: cells that nobody reaches

mod lost;
mod partial;
mod result;
mod run;
mod symbols;

use std::collections::BTreeMap;

use trellis_program::concrete::{Choices, Machine, MachineOptions};
use trellis_program::{BlockId, Budget, CheckSet, Program, Refusal, Rejected};

use crate::entail::entails;
use crate::initial::starts;
use crate::pattern::{Label, Pattern, Target};
use crate::program::PatternProgram;
use crate::unfold;
use lost::Made;
use partial::{Need, build};
use run::{End, Run};

/// Labels at loop heads, by block.
pub type Labels = BTreeMap<usize, Label>;

/// How to check, and for how long.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The checks that are on.
    pub checks: CheckSet,
    /// Whether `malloc` may also return null.
    pub malloc_may_fail: bool,
    /// When to stop.
    pub budget: Budget,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Patterns, those at the start included.
    pub patterns: u64,
    /// Cases of them that were run from.
    pub states: u64,
}

/// Most cases of one pattern.
const MOST_CASES: usize = 50_000;

/// Checks that labels at loop heads are an invariant under which no check fails. `program` has no
/// calls, and `code` was lowered from it with the same options; its words may have been enriched.
///
/// # Errors
/// If they are not, or that cannot be judged.
pub fn check(
    program: &Program,
    code: &PatternProgram,
    labels: &Labels,
    options: &Options,
) -> Result<Checked, Rejected> {
    let machine = Machine::new(
        program,
        MachineOptions {
            checks: options.checks,
            malloc_may_fail: options.malloc_may_fail,
            ..MachineOptions::default()
        },
    );
    let checker = Checker { program, machine: &machine, code, labels, options };
    checker.labels_make_sense()?;
    let mut done = Checked::default();
    let span = program.proc(code.proc).span;
    for pattern in starts(code, span)? {
        match labels.get(&code.entry) {
            Some(label) if code.heads.contains(&code.entry) => {
                done.patterns += 1;
                let made = Made { pattern, cut: Vec::new() };
                checker.arrives(code.entry, &made, label)?;
            }
            _ => checker.pattern(code.entry, &pattern, &mut done)?,
        }
    }
    for (block, label) in labels {
        for pattern in &label.0 {
            checker.pattern(*block, pattern, &mut done)?;
        }
    }
    Ok(done)
}

struct Checker<'a> {
    program: &'a Program,
    machine: &'a Machine<'a>,
    code: &'a PatternProgram,
    labels: &'a Labels,
    options: &'a Options,
}

impl Checker<'_> {
    fn labels_make_sense(&self) -> Result<(), Rejected> {
        let wrong =
            |block: &usize, what: &str| Err(Rejected::Wrong(format!("block {block}: {what}")));
        for (block, label) in self.labels {
            let Some(code) =
                self.code.blocks.get(*block).filter(|_| self.code.heads.contains(block))
            else {
                return wrong(block, "no loop begins there");
            };
            for pattern in &label.0 {
                if let Some(fault) = pattern.fault(&self.code.words) {
                    return wrong(block, &fault);
                }
                let vars = pattern.vars.iter().zip(&code.live_pointers).enumerate();
                for (x, (target, live)) in vars {
                    let dead = *target == Target::Dead;
                    if dead && *live {
                        let name = &self.code.words.pointers[x].name;
                        return wrong(block, &format!("nothing is said of `{name}`"));
                    }
                    if dead != (label.0[0].vars[x] == Target::Dead) {
                        return wrong(block, "patterns that speak of different variables");
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs from all cases of a pattern.
    fn pattern(&self, block: usize, pattern: &Pattern, done: &mut Checked) -> Result<(), Rejected> {
        done.patterns += 1;
        let words = &self.code.words;
        let mut todo: Vec<Pattern> = unfold::tidy(words, pattern).into_iter().collect();
        let mut cases = 0;
        while let Some(case) = todo.pop() {
            self.options.budget.check()?;
            cases += 1;
            if cases > MOST_CASES {
                return Err(self.beyond(block, "a pattern with too many cases"));
            }
            match self.case(block, &case, done)? {
                None => {}
                Some(Need::Field(node, field)) => {
                    let parts = unfold::by_field(words, &case, node, field);
                    let nowhere = case.nodes[node].fields[field].is_none();
                    if parts.is_empty()
                        && case.nodes.len() == crate::pattern::MOST_NODES
                        && !nowhere
                    {
                        return Err(self.beyond(block, "a pattern with too many nodes"));
                    }
                    todo.extend(parts);
                }
                Some(Need::Colour(node)) => todo.extend(unfold::by_colour(words, &case, node)),
            }
        }
        Ok(())
    }

    fn beyond(&self, block: usize, what: &str) -> Rejected {
        Refusal::at(self.code.blocks[block].span, what).into()
    }

    /// Runs a case in every way; what must be known before that can be done.
    fn case(
        &self,
        block: usize,
        case: &Pattern,
        done: &mut Checked,
    ) -> Result<Option<Need>, Rejected> {
        let (words, proc) = (&self.code.words, self.code.proc);
        let start = build(self.program, proc, words, BlockId(block as u32), case);
        let mut choices = Choices::default();
        loop {
            self.options.budget.check()?;
            choices.rewind();
            let partial = start.clone();
            let mut run = Run { checker: self, before: case, partial, choices: &mut choices };
            match self.run(&mut run) {
                Ok(()) | Err(End::Stop) => {}
                Err(End::Need(need)) => return Ok(Some(need)),
                Err(End::Rejected(why)) => return Err(self.tell(block, case, why)),
            }
            done.states += 1;
            if !choices.advance() {
                return Ok(None);
            }
        }
    }

    /// To the next loop head, where the label must describe the state.
    fn run(&self, run: &mut Run<'_>) -> Result<(), End> {
        loop {
            run.step()?;
            let frame = run.partial.state.top();
            let block = frame.block.0 as usize;
            if frame.instr == 0 && self.code.heads.contains(&block) {
                let span = self.code.blocks[block].span;
                let now = run.made().map_err(|what| Refusal::at(span, what))?;
                let Some(label) = self.labels.get(&block) else {
                    let place = self.program.sources.locate(span);
                    let what = format!("gets to the loop at {place}, which has no label");
                    return Err(End::Rejected(Rejected::Wrong(what)));
                };
                return self.arrives(block, &now, label).map_err(End::Rejected);
            }
        }
    }

    /// Whether a label describes all heaps of a pattern at its loop head.
    fn arrives(&self, block: usize, now: &Made, label: &Label) -> Result<(), Rejected> {
        let words = &self.code.words;
        let place = || self.program.sources.locate(self.code.blocks[block].span);
        let spoken = |x: usize| label.0.first().is_none_or(|p| p.vars[x] != Target::Dead);
        let held = now.without_vars(spoken);
        if self.code.checks_leaks && !held.nothing_lost(words) {
            let what = format!("a cell may be lost before the loop at {}", place());
            return Err(Rejected::Wrong(what));
        }
        let Some(cases) = held.collected(words) else {
            return Err(self.beyond(block, "too much memory that may be lost"));
        };
        for (case, _) in cases {
            if let Err(part) = entails(words, &case, label) {
                let part = crate::text::pattern(words, &part);
                let what =
                    format!("gets to the loop at {} with {part}, which is not there", place());
                return Err(Rejected::Wrong(what));
            }
        }
        Ok(())
    }

    /// Where the run started is part of what is wrong.
    fn tell(&self, block: usize, case: &Pattern, why: Rejected) -> Rejected {
        match why {
            Rejected::Wrong(what) => {
                let place = self.program.sources.locate(self.code.blocks[block].span);
                let from = crate::text::pattern(&self.code.words, case);
                Rejected::Wrong(format!("from {place} with {from}: {what}"))
            }
            other => other,
        }
    }
}
