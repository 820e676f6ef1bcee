//! Post: what a statement does to a pattern (*Heap Interpolant Synthesis*, section 5.1.4, with
//! rules of our own).
//!
//! The paper's rules are too weak where they are not unsound: STORE never removes the old edge,
//! LOAD keeps the old label, ALLOC makes a summary node without edges. Here the cell that a
//! statement follows is made plain and its field certain first (*focus*), then the change is an
//! update of one edge, then what has no heap is left out (*coerce*), and what nothing reaches any
//! more is dropped (*settle*). Nothing is merged: that is for loop heads ([`crate::merge`]).
//!
//! * [`mod@focus`], [`mod@coerce`], [`reach`]: these three
//! * `update`, `cells`, [`numbers`]: pointers, whole cells, integers; `colours`: what is said of
//!   cells
//! * [`values`]: integer expressions over classes
//! * [`facts`]: contract formulas
//!
//! **Invariant:** if a heap fits a pattern and the machine takes a step from it, the heap after it
//! fits a result, or what went wrong is among the events.

mod cells;
pub mod coerce;
mod colours;
pub mod facts;
pub mod focus;
pub mod numbers;
pub mod reach;
mod update;
pub mod values;

use trellis_patterns::PatternProgram;
use trellis_patterns::pattern::{Pattern, Target};
use trellis_patterns::program::{Access, Exit, IntExpr, Op, Source, Step};
use trellis_program::checks::Point;
use trellis_program::{BlockId, CheckKind, CheckSet, Span};

use coerce::coerce;
use values::{Evaluator, Fault, split};

/// A pattern has more nodes than can be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// Something that may happen at a step instead of going on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A check fails; for contracts, its clause.
    Failed(CheckKind, u32),
    /// Outside what is followed here.
    Outside(String),
    /// A pattern would have more nodes than can be kept.
    TooLarge,
}

/// What may happen, where, and in which pattern.
#[derive(Clone, Debug)]
pub struct Event {
    /// What.
    pub what: What,
    /// In the heap program.
    pub point: Point,
    /// In the source.
    pub span: Span,
    /// Before the step.
    pub pattern: Pattern,
}

/// What statements of a procedure do to patterns.
#[derive(Clone, Copy, Debug)]
pub struct Post<'a> {
    /// The procedure.
    pub program: &'a PatternProgram,
    /// The checks that are on.
    pub checks: CheckSet,
}

/// The results of a step so far.
struct Results<'r> {
    out: &'r mut Vec<Pattern>,
    events: &'r mut Vec<Event>,
    point: Point,
    span: Span,
    before: Pattern,
}

impl Post<'_> {
    /// What a step makes of a pattern.
    pub fn step(
        &self,
        step: &Step,
        pattern: &Pattern,
        out: &mut Vec<Pattern>,
        events: &mut Vec<Event>,
    ) {
        let before = pattern.clone();
        let mut to = Results { out, events, point: step.point, span: step.span, before };
        if self.perform(&step.op, pattern, &mut to).is_err() {
            self.event(&mut to, What::TooLarge);
        }
    }

    fn perform(&self, op: &Op, pattern: &Pattern, to: &mut Results<'_>) -> Result<(), TooLarge> {
        match op {
            Op::Assign { dst, value } => self.assign(pattern, *dst, target(pattern, *value), to),
            Op::Load { dst, from } => {
                let Some(node) = self.node(pattern, from.var, from.record, to) else {
                    return Ok(());
                };
                for case in focus::focus(&self.program.words, pattern, node, from.field)? {
                    let at = self.there(&case, from);
                    let found = case.nodes[at].fields[from.field].only().unwrap_or(Target::Dead);
                    self.assign(&case, *dst, found, to);
                }
            }
            Op::Store { to: at, value } => self.store(pattern, at, *value, to)?,
            Op::LoadData { dst, from } => self.load_data(pattern, *dst, from, to),
            Op::StoreData { to: at, value } => self.store_data(pattern, at, value, to),
            Op::Copy { dst, src, record } => self.copy(pattern, *dst, *src, *record, to)?,
            Op::Zero { var, record } => self.zero(pattern, *var, *record, to)?,
            Op::Allocate { dst, record, zeroed, may_fail } => {
                if *may_fail {
                    self.assign(pattern, *dst, Target::Null, to);
                }
                self.allocate(pattern, *dst, *record, *zeroed, to)?;
            }
            Op::Free { var } => match pattern.vars[*var] {
                Target::Null => to.out.push(pattern.clone()),
                Target::Node(node) => self.free(pattern, node, to)?,
                Target::Freed => self.failed(to, CheckKind::DoubleFree, 0),
                Target::Undefined => self.failed(to, CheckKind::Uninit, 0),
                Target::Dead => self.outside(to, DEAD),
            },
            Op::Set { dst, value } => self.set(pattern, *dst, value, to),
            Op::Havoc { dst } => self.havoc(pattern, *dst, to),
            Op::Evaluate { value, kind } => self.evaluate(pattern, value, *kind, to),
            Op::Assert { kind, cond } => {
                let [holds, fails] = self.decide(pattern, cond, to);
                if !fails.is_empty() {
                    self.failed(to, *kind, 0);
                }
                to.out.extend(holds);
            }
            Op::Assume(cond) => {
                let [holds, _] = self.decide(pattern, cond, to);
                to.out.extend(holds);
            }
            Op::AssertFact { kind, clause, fact } => {
                let (holds, fails) = facts::decide(self.program, pattern, fact)?;
                if fails {
                    self.failed(to, *kind, *clause);
                }
                to.out.extend(holds);
            }
            Op::AssumeFact(fact) => to.out.extend(facts::decide(self.program, pattern, fact)?.0),
            Op::Leak { roots } => self.leak(pattern, roots, to),
            Op::Unsupported(reason) => self.outside(to, reason),
        }
        Ok(())
    }

    /// Where a block goes from a pattern.
    pub fn exit(
        &self,
        exit: &Exit,
        pattern: &Pattern,
        events: &mut Vec<Event>,
    ) -> Vec<(usize, Pattern)> {
        match exit {
            Exit::Stop => Vec::new(),
            Exit::Goto(block) => vec![(*block, pattern.clone())],
            Exit::Branch { cond, then, els, point, span } => {
                let mut out = Vec::new();
                let before = pattern.clone();
                let mut to = Results { out: &mut out, events, point: *point, span: *span, before };
                let [holds, fails] = self.decide(pattern, cond, &mut to);
                let there = holds.into_iter().map(|p| (*then, p));
                there.chain(fails.into_iter().map(|p| (*els, p))).collect()
            }
        }
    }

    /// That cells are lost where a block begins, because nobody reads what led to them any more.
    pub fn lost(&self, block: usize, pattern: &Pattern) -> Option<Event> {
        let code = &self.program.blocks[block];
        let point = match &code.exit {
            _ if !code.steps.is_empty() => code.steps[0].point,
            Exit::Branch { point, .. } => *point,
            _ => Point { proc: self.program.proc, block: BlockId(block as u32), instr: 0 },
        };
        let (what, span) = (What::Failed(CheckKind::Leak, 0), code.span);
        let event = Event { what, point, span, pattern: pattern.clone() };
        self.checks.contains(CheckKind::Leak).then_some(event)
    }

    /// The patterns in which a condition holds, and in which it does not.
    fn decide(&self, pattern: &Pattern, cond: &IntExpr, to: &mut Results<'_>) -> [Vec<Pattern>; 2] {
        let mut ways: [Vec<Pattern>; 2] = [Vec::new(), Vec::new()];
        for case in split(pattern, cond) {
            let Some(case) = coerce(&self.program.words, case) else { continue };
            let mut evaluator = Evaluator::new(self.program, &case);
            let truth = evaluator.truth(cond);
            self.faults(to, &evaluator.faults.clone());
            match truth {
                None => {}
                Some(None) if self.checks.contains(CheckKind::Uninit) => {
                    self.failed(to, CheckKind::Uninit, 0);
                }
                Some(None) => ways.iter_mut().for_each(|way| way.push(case.clone())),
                Some(Some(truth)) => {
                    for (way, holds) in [(0, true), (1, false)] {
                        if truth[way] {
                            ways[way].extend(self.refined(&case, cond, holds));
                        }
                    }
                }
            }
        }
        ways.map(numbers::regrouped)
    }

    /// What is known besides when a comparison of integer variables came out so.
    fn refined(&self, case: &Pattern, cond: &IntExpr, holds: bool) -> Option<Pattern> {
        let mut case = case.clone();
        numbers::refine_orders(self.program, &mut case, cond, holds);
        coerce(&self.program.words, case)
    }

    /// The plain node that a variable is at, as a cell of a record.
    fn node(
        &self,
        pattern: &Pattern,
        var: usize,
        record: usize,
        to: &mut Results<'_>,
    ) -> Option<usize> {
        match pattern.vars[var] {
            Target::Node(n) if pattern.nodes[n].record == record => return Some(n),
            Target::Node(_) => self.outside(to, "a cell of another record"),
            Target::Null => self.failed(to, CheckKind::NullDeref, 0),
            Target::Freed => self.failed(to, CheckKind::UseAfterFree, 0),
            Target::Undefined => self.failed(to, CheckKind::Uninit, 0),
            Target::Dead => self.outside(to, DEAD),
        }
        None
    }

    /// The node of an access; it was found before, and nodes may have other numbers since.
    fn there(&self, pattern: &Pattern, access: &Access) -> usize {
        match pattern.vars[access.var] {
            Target::Node(n) => n,
            _ => unreachable!("focus leaves variables where they are"),
        }
    }

    fn failed(&self, to: &mut Results<'_>, kind: CheckKind, clause: u32) {
        // What is not checked just ends.
        if self.checks.contains(kind) {
            self.event(to, What::Failed(kind, clause));
        }
    }

    fn outside(&self, to: &mut Results<'_>, reason: &str) {
        self.event(to, What::Outside(reason.to_owned()));
    }

    fn event(&self, to: &mut Results<'_>, what: What) {
        let pattern = to.before.clone();
        to.events.push(Event { what, point: to.point, span: to.span, pattern });
    }

    fn faults(&self, to: &mut Results<'_>, faults: &[Fault]) {
        for fault in faults {
            match fault {
                Fault::Check(kind) => self.failed(to, *kind, 0),
                Fault::Outside(reason) => self.outside(to, reason),
            }
        }
    }
}

/// A variable that nobody should read.
const DEAD: &str = "a variable that was thought not to be read any more";

fn target(pattern: &Pattern, source: Source) -> Target {
    match source {
        Source::Null => Target::Null,
        Source::Var(v) => pattern.vars[v],
    }
}
