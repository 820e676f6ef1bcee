//! The paths between cut points, by depth-first search through the loop-free code.
//!
//! **Invariant.** Every way through the code between two cut points is a path, unless its guards
//! contradict each other on their face; their number is bounded, beyond that all is refused.

use trellis_logic::{Definitions, FormulaId};
use trellis_program::{BlockId, Body, CheckKind, Refusal, Terminator};

use crate::execute::state::{Run, Used};
use crate::execute::{Builder, Step, Stop};
use crate::system::{BadState, LocationId};

/// More paths than this are refused.
const MOST_PATHS: usize = 4000;

/// So are paths that have more guards and blocks than this together: each path repeats what it has in
/// common with others, and a long way through the code has an error at every step.
const MOST_LENGTHS: usize = 4_000_000;

/// A loop-free way from a location to another one, or into an error.
#[derive(Clone, Debug)]
pub struct Path {
    /// Where it starts.
    pub from: LocationId,
    /// Where it ends.
    pub to: Target,
    /// What must hold at its beginning; closed formulas over the state and witnesses.
    pub guards: Vec<FormulaId>,
    /// The state at its end in terms of its beginning; what is not defined stays.
    pub update: Definitions,
    /// The witnesses that it uses.
    pub used: Used,
    /// The blocks that it passes, the first one included.
    pub blocks: Vec<BlockId>,
}

/// Where a path ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// At a cut point.
    Location(LocationId),
    /// In a failing check.
    Error(BadState),
}

impl Builder<'_> {
    /// Follows all paths from the beginning of a block to the next cut points.
    pub(crate) fn follow(
        &mut self,
        body: &Body,
        heads: &[BlockId],
        start: BlockId,
        run: Run,
    ) -> Result<(), Refusal> {
        let mut todo = vec![(run, start, 0usize)];
        while let Some((mut run, block, first)) = todo.pop() {
            if self.budget.check().is_err() {
                let span = body.block(block).term_span;
                return Err(Refusal::at(span, "more paths than there is time for"));
            }
            if self.paths.len() > MOST_PATHS
                || run.blocks.len() > MOST_PATHS
                || self.lengths > MOST_LENGTHS
            {
                let span = body.block(block).term_span;
                return Err(Refusal::at(span, "more paths between loops than can be followed"));
            }
            if first == 0 {
                run.blocks.push(block);
            }
            match self.through_block(body, block, first, &mut run, &mut todo) {
                Ok(()) => {}
                Err(Stop::End) => continue,
                Err(Stop::Refused(why)) => return Err(why),
            }
            let next = self.leave_block(body, block, run);
            let next = match next {
                Ok(next) => next,
                Err(Stop::End) => continue,
                Err(Stop::Refused(why)) => return Err(why),
            };
            for (run, target) in next {
                match heads.iter().position(|h| *h == target) {
                    Some(head) => self.arrive(run, LocationId(head + 1))?,
                    None => todo.push((run, target, 0)),
                }
            }
        }
        Ok(())
    }

    fn through_block(
        &mut self,
        body: &Body,
        block: BlockId,
        first: usize,
        run: &mut Run,
        todo: &mut Vec<(Run, BlockId, usize)>,
    ) -> Step<()> {
        let instrs = &body.block(block).instrs;
        for (i, instr) in instrs.iter().enumerate().skip(first) {
            if self.budget.check().is_err() {
                return Err(Refusal::at(instr.span, "more paths than there is time for").into());
            }
            let mut others = Vec::new();
            let done = self.execute(run, instr, &mut others);
            // An index of zero would mean that the block is entered anew.
            todo.extend(others.into_iter().map(|other| (other, block, i + 1)));
            done?;
        }
        Ok(())
    }

    fn leave_block(
        &mut self,
        body: &Body,
        block: BlockId,
        mut run: Run,
    ) -> Step<Vec<(Run, BlockId)>> {
        let block = body.block(block);
        let span = block.term_span;
        match &block.term {
            Terminator::Goto(target) => Ok(vec![(run, *target)]),
            Terminator::Branch { cond, then, els } => {
                let holds = self.condition(&mut run, cond, span)?;
                let fails = self.arena.not(holds);
                let mut next = Vec::new();
                for (guard, target) in [(fails, *els), (holds, *then)] {
                    let mut run = run.clone();
                    match self.assume_now(&mut run, guard) {
                        Ok(()) if self.contradicts(&run, guard) => {}
                        Ok(()) => next.push((run, target)),
                        Err(Stop::End) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                Ok(next)
            }
            Terminator::Return(value) => {
                self.finish(&mut run, value.as_ref(), span)?;
                Err(Stop::End)
            }
            Terminator::Exit | Terminator::ExitFreed => {
                if self.options.checks.contains(CheckKind::Leak) {
                    return Err(Refusal::at(span, "a program that ends with `exit`").into());
                }
                Err(Stop::End)
            }
            Terminator::Abort => Err(Stop::End),
        }
    }

    /// Whether an earlier guard says the opposite of the last one, or that what is new is null.
    fn contradicts(&mut self, run: &Run, guard: FormulaId) -> bool {
        let not = self.arena.not(guard);
        let null = self.null();
        run.guards.contains(&not) || run.named.iter().any(|o| self.arena.eq(*o, null) == guard)
    }

    /// Ends a path at a cut point.
    pub(crate) fn arrive(&mut self, mut run: Run, to: LocationId) -> Result<(), Refusal> {
        // That it has none yet is forgotten there.
        if let Some(at) = run.awaits_type() {
            return Err(Refusal::at(at, "memory without a type"));
        }
        match self.attach_all(&mut run) {
            Ok(()) => {}
            Err(Stop::End) => return Ok(()),
            Err(Stop::Refused(why)) => return Err(why),
        }
        self.note_undefined(&run, to);
        self.record(Path {
            from: self.from,
            to: Target::Location(to),
            guards: run.guards,
            update: run.now,
            used: run.used,
            blocks: run.blocks,
        });
        Ok(())
    }

    /// Keeps a path that has come to its end.
    pub(crate) fn record(&mut self, path: Path) {
        self.lengths += path.guards.len() + path.blocks.len();
        self.paths.push(path);
    }
}

impl Path {
    /// The error that it runs into.
    pub fn error(&self) -> Option<BadState> {
        match self.to {
            Target::Error(bad) => Some(bad),
            Target::Location(_) => None,
        }
    }
}
