//! Contracts and leaks, judged on the pattern of the state.

use trellis_program::checks::Point;
use trellis_program::{CheckKind, Refusal, Span};

use super::super::lost::Made;
use super::super::result::Results;
use super::{End, Exec, Run};
use crate::facts::holds;
use crate::pattern::Pattern;
use crate::program::{Fact, Op, Source};

impl Run<'_> {
    /// The end of the procedure: what it promised, and what nobody holds any more.
    pub(super) fn leave(&mut self, point: Point, span: Span) -> Exec {
        let words = &self.checker.code.words;
        let steps = &self.checker.code.blocks[point.block.0 as usize].steps;
        for step in steps.iter().filter(|s| s.point == point) {
            match &step.op {
                Op::AssertFact { kind, fact, .. } => self.must_hold(fact, *kind, step.span)?,
                Op::Leak { roots } => {
                    let now = self.now(span)?;
                    let held = now.without_vars(|x| roots.contains(&Source::Var(x)));
                    if !held.nothing_lost(words) {
                        return Err(self.fails(CheckKind::Leak, span));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The pattern of the state.
    pub(super) fn now(&self, span: Span) -> Result<Made, End> {
        self.made().map_err(|what| Refusal::at(span, what).into())
    }

    /// The pattern of the state, or what it has no words for.
    pub(in crate::check) fn made(&self) -> Result<Made, String> {
        let results = Results {
            program: self.checker.program,
            proc: self.checker.code.proc,
            words: &self.checker.code.words,
            before: self.before,
            partial: &self.partial,
        };
        results.made()
    }

    pub(super) fn facts_at(&self, point: Point) -> Vec<Fact> {
        let steps = &self.checker.code.blocks[point.block.0 as usize].steps;
        let facts = steps.iter().filter(|s| s.point == point).filter_map(|s| match &s.op {
            Op::AssertFact { fact, .. } | Op::AssumeFact(fact) => Some(fact.clone()),
            _ => None,
        });
        facts.collect()
    }

    pub(super) fn must_hold(&self, fact: &Fact, kind: CheckKind, span: Span) -> Exec {
        if !self.checker.options.checks.contains(kind) {
            return Ok(());
        }
        // What was lost before may lead into a list, and is not part of any pattern.
        if !self.checker.code.checks_leaks && mentions_segment(fact) {
            let what = "`ls` where cells may have been lost (leaks are not checked)";
            return Err(Refusal::at(span, what).into());
        }
        let words = &self.checker.code.words;
        let now = self.now(span)?;
        let cases = now.collected(words);
        // Whatever is lost may still lead into a list, so `ls` is not sure of it.
        let ok = |(case, missing): &(Pattern, bool)| {
            holds(words, case, fact) && !(*missing && mentions_segment(fact))
        };
        match cases.is_some_and(|cases| cases.iter().all(ok)) {
            true => Ok(()),
            false => Err(self.fails(kind, span)),
        }
    }
}

fn mentions_segment(fact: &Fact) -> bool {
    let mut found = false;
    fact.visit(&mut |f| found |= matches!(f, Fact::Segment { .. }));
    found
}
