//! A procedure as a [`System`](crate::System) of actions over list predicates.
//!
//! Understood: one type of list node with one pointer field to itself and any integer fields;
//! pointer variables in registers; loads, stores, allocation, `free`, comparisons of pointers,
//! assertions, contracts. Integers are not followed: what depends on them may go either way.
//!
//! **Invariant**: everything else is [`Unsupported`] with its place. Contract clauses that have no
//! translation are listed in [`Compiled::untranslated`].

mod condition;
mod instruction;
mod variables;

use trellis_logic::kleene::{Action, Formula, Kleene, PredId};
use trellis_program::checks::Point;
use trellis_program::spec::Assigns;
use trellis_program::{Block, Body, CheckKind, Cond, ProcId, Procedure, Program, Span, Terminator};

use crate::contract::{View, translate};
use crate::core::{Core, Garbage, Statement};
use crate::engine::{Check, OnFailure, Transition};
use crate::predicates::{Instrumentation, action};

pub use variables::Variables;

/// Why a procedure cannot be analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// As a noun phrase.
    pub reason: String,
    /// Where.
    pub span: Span,
}

impl Unsupported {
    pub(crate) fn new(reason: impl Into<String>, span: Span) -> Self {
        Unsupported { reason: reason.into(), span }
    }
}

/// What a check of the system stands for.
#[derive(Clone, Debug)]
pub struct CheckSite {
    /// What is checked.
    pub kind: CheckKind,
    /// Where in the heap program.
    pub point: Point,
    /// Which clause of the contract, for `ensures`.
    pub clause: u32,
    /// Where in the source.
    pub span: Span,
}

/// The translation of a procedure.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// How many points there are.
    pub points: usize,
    /// Where it starts.
    pub entry: usize,
    /// By point, the instruction before which it lies; the points of a return have its terminator.
    pub places: Vec<Point>,
    /// The actions.
    pub transitions: Vec<Transition>,
    /// By id, what the checks are.
    pub checks: Vec<CheckSite>,
    /// Clauses that have no translation, and why.
    pub untranslated: Vec<(Span, String)>,
}

/// What the translation depends on besides the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CompileOptions {
    /// What is done with garbage.
    pub garbage: Garbage,
    /// `malloc` may return null.
    pub malloc_may_fail: bool,
}

/// Translates a procedure whose variables have been declared.
pub fn compile(
    program: &Program,
    proc: ProcId,
    variables: &Variables,
    core: &Core,
    instrumentation: &dyn Instrumentation,
    options: CompileOptions,
) -> Result<Compiled, Unsupported> {
    let procedure = program.proc(proc);
    let Some(body) = &procedure.body else {
        return Err(Unsupported::new("a procedure without a body", procedure.span));
    };
    let mut compiler = Compiler {
        proc,
        procedure,
        variables,
        core,
        instrumentation,
        options,
        starts: Vec::new(),
        out: Compiled {
            points: 0,
            entry: 0,
            places: Vec::new(),
            transitions: Vec::new(),
            checks: Vec::new(),
            untranslated: Vec::new(),
        },
    };
    compiler.procedure(body)?;
    Ok(compiler.out)
}

struct Compiler<'a> {
    proc: ProcId,
    procedure: &'a Procedure,
    variables: &'a Variables,
    core: &'a Core,
    instrumentation: &'a dyn Instrumentation,
    options: CompileOptions,
    /// By block, the point at its start.
    starts: Vec<usize>,
    out: Compiled,
}

impl Compiler<'_> {
    fn procedure(&mut self, body: &Body) -> Result<(), Unsupported> {
        // Points in the order of the code, so that the worklist finishes loops before what follows.
        for (b, block) in body.blocks.iter().enumerate() {
            self.starts.push(self.out.points);
            for instr in 0..=block.instrs.len() {
                self.add_point(b, instr);
            }
        }
        self.out.entry = self.starts[body.entry.0 as usize];
        if let Assigns::Places(_, span) = self.procedure.contract.assigns {
            self.out.untranslated.push((span, "an assigns clause".into()));
        }
        for (b, block) in body.blocks.iter().enumerate() {
            for (i, instr) in block.instrs.iter().enumerate() {
                let from = self.starts[b] + i;
                self.instruction(from, instr)?;
            }
            self.terminator(self.starts[b] + block.instrs.len(), block)?;
        }
        Ok(())
    }

    fn add_point(&mut self, block: usize, instr: usize) -> usize {
        let block = trellis_program::BlockId(block as u32);
        self.out.places.push(Point { proc: self.proc, block, instr: instr as u32 });
        self.out.points += 1;
        self.out.points - 1
    }

    /// One more point at the place of another.
    fn extra_point(&mut self, like: usize) -> usize {
        let place = self.out.places[like];
        self.out.places.push(place);
        self.out.points += 1;
        self.out.points - 1
    }

    fn push(&mut self, from: usize, to: usize, statement: Statement, checks: Vec<Check>) {
        let action = action(self.core, self.instrumentation, statement);
        let collects = statement.can_lose();
        self.out.transitions.push(Transition { from, to, action, checks, collects });
    }

    /// A transition that changes nothing.
    fn push_guard(&mut self, from: usize, to: usize, guard: Formula) {
        let guard = (guard != Formula::Const(Kleene::Maybe)).then_some(guard);
        let action = Action { name: "guard".into(), guard, ..Action::default() };
        let transition = Transition { from, to, action, checks: Vec::new(), collects: false };
        self.out.transitions.push(transition);
    }

    /// A new check.
    fn check(&mut self, kind: CheckKind, at: usize, span: Span, formula: Formula) -> Check {
        self.check_clause(kind, at, span, 0, formula)
    }

    fn check_clause(
        &mut self,
        kind: CheckKind,
        at: usize,
        span: Span,
        clause: u32,
        formula: Formula,
    ) -> Check {
        let point = self.out.places[at];
        self.out.checks.push(CheckSite { kind, point, clause, span });
        let failure = match kind {
            CheckKind::Leak
            | CheckKind::Postcondition
            | CheckKind::SpecAssert
            | CheckKind::LoopInvariant => OnFailure::GoesOn,
            _ => OnFailure::Stops,
        };
        Check { id: self.out.checks.len() - 1, formula, failure }
    }

    /// x points to an object that may be used.
    fn deref_checks(&mut self, x: usize, at: usize, span: Span) -> Vec<Check> {
        let core = self.core;
        let live = self.not_at(x, core.freed);
        vec![
            self.check(CheckKind::NullDeref, at, span, core.not_null(x)),
            self.check(CheckKind::UseAfterFree, at, span, live),
        ]
    }

    /// A predicate does not hold of the object at which x points.
    fn not_at(&self, x: usize, predicate: PredId) -> Formula {
        self.core.at(x, |u| Formula::atom(predicate, &[u])).not()
    }

    fn terminator(&mut self, from: usize, block: &Block) -> Result<(), Unsupported> {
        let span = block.term_span;
        match &block.term {
            Terminator::Goto(target) => {
                let to = self.starts[target.0 as usize];
                self.push(from, to, Statement::Skip, Vec::new());
            }
            Terminator::Branch { cond, then, els } => {
                let condition = self.condition(cond, span)?;
                let (then, els) = (self.starts[then.0 as usize], self.starts[els.0 as usize]);
                self.push_guard(from, then, condition.clone());
                self.push_guard(from, els, condition.not());
            }
            Terminator::Return(value) => self.return_from(from, value.as_ref(), span)?,
            Terminator::Exit => return Err(Unsupported::new("a call of exit", span)),
            Terminator::Abort => {}
        }
        Ok(())
    }

    /// The result gets its value, the variables of the procedure go out of scope, and what is left
    /// is checked.
    fn return_from(
        &mut self,
        from: usize,
        value: Option<&trellis_program::Expr>,
        span: Span,
    ) -> Result<(), Unsupported> {
        let mut at = from;
        let mut statements = Vec::new();
        if let (Some(value), Some(result)) = (value, self.variables.result) {
            statements.push(match self.pointer(value, span)? {
                Some(x) => Statement::Copy(result, x),
                None => Statement::Null(result),
            });
        }
        let dying = self.variables.locals_that_die();
        statements.extend(dying.into_iter().map(Statement::Null));
        for statement in statements {
            let to = self.extra_point(from);
            self.push(at, to, statement, Vec::new());
            at = to;
        }
        let end = self.extra_point(from);
        let mut action = Action { name: "return".into(), ..Action::default() };
        let mut checks = Vec::new();
        if self.options.garbage == Garbage::Leaks {
            let nothing_lost = Formula::atom(self.core.lost, &[]).not();
            checks.push(self.check(CheckKind::Leak, from, span, nothing_lost));
        }
        for (i, clause) in self.procedure.contract.ensures.iter().enumerate() {
            let translated = translate(
                &clause.formula,
                View::AtReturn,
                self.variables,
                self.core,
                self.instrumentation,
            );
            match translated {
                Ok(translated) => {
                    action.focus.extend(translated.focus);
                    let (kind, number) = (CheckKind::Postcondition, i as u32);
                    checks.push(self.check_clause(
                        kind,
                        from,
                        clause.span,
                        number,
                        translated.formula,
                    ));
                }
                Err(reason) => self.note_untranslated(clause.span, reason),
            }
        }
        self.out.transitions.push(Transition {
            from: at,
            to: end,
            action,
            checks,
            collects: false,
        });
        Ok(())
    }

    fn note_untranslated(&mut self, span: Span, reason: String) {
        let note = (span, reason);
        if !self.out.untranslated.contains(&note) {
            self.out.untranslated.push(note);
        }
    }

    /// `assume` and `assert`.
    fn stated(
        &mut self,
        from: usize,
        to: usize,
        cond: &Cond,
        checked: Option<CheckKind>,
        span: Span,
    ) -> Result<(), Unsupported> {
        let mut action = Action { name: "state".into(), ..Action::default() };
        let formula = match cond {
            Cond::Expr(e) => Some(self.condition(e, span)?),
            Cond::Spec(f) => {
                let (core, instrumentation) = (self.core, self.instrumentation);
                match translate(f, View::Now, self.variables, core, instrumentation) {
                    Ok(translated) => {
                        action.focus = translated.focus;
                        Some(translated.formula)
                    }
                    // An assumption that is not understood is not made.
                    Err(_) if checked.is_none() => None,
                    Err(reason) => {
                        self.note_untranslated(span, reason);
                        None
                    }
                }
            }
        };
        let mut checks = Vec::new();
        match (formula, checked) {
            (Some(formula), Some(kind)) => checks.push(self.check(kind, from, span, formula)),
            (Some(formula), None) => action.guard = Some(formula),
            (None, _) => {}
        }
        self.out.transitions.push(Transition { from, to, action, checks, collects: false });
        Ok(())
    }
}
