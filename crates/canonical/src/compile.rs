//! A procedure as a [`System`](crate::System) of actions over list predicates.
//!
//! Understood: one type of list node with one pointer field to itself and any integer fields;
//! pointer variables in registers; loads, stores, allocation, `free`, comparisons of pointers,
//! assertions, contracts. Integers are not followed: what depends on them may go either way.
//!
//! **Invariant**: everything else is a [`Refusal`]. Contract clauses that have no
//! translation are listed in [`Compiled::untranslated`].

mod condition;
mod instruction;
mod variables;

use trellis_logic::kleene::{Action, Formula, Kleene, PredId};
use trellis_program::checks::Point;
use trellis_program::spec::Assigns;
use trellis_program::{
    Block, Body, CheckKind, CheckSet, Cond, ProcId, Procedure, Program, Refusal, Span, Terminator,
};

use crate::contract::{Reading, Translated, View, read, translate};
use crate::core::{Core, Garbage, Statement};
use crate::engine::{Check, OnFailure, Transition};
use crate::predicates::{Instrumentation, action};

pub use variables::Variables;

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
    /// Where it starts.
    pub entry: usize,
    /// By point, the instruction before which it lies; the points of a return have its terminator.
    pub places: Vec<Point>,
    /// By block, the point before its first instruction.
    pub blocks: Vec<usize>,
    /// The actions.
    pub transitions: Vec<Transition>,
    /// By id, what the checks are.
    pub checks: Vec<CheckSite>,
    /// Clauses that have no translation, and why.
    pub untranslated: Vec<Refusal>,
}

/// What the translation depends on besides the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CompileOptions {
    /// What is done with garbage.
    pub garbage: Garbage,
    /// `malloc` may return null.
    pub malloc_may_fail: bool,
    /// The kinds of checks that are on; clauses of others are not looked at.
    pub checks: CheckSet,
}

/// Translates a procedure whose variables have been declared.
pub fn compile(
    program: &Program,
    proc: ProcId,
    variables: &Variables,
    core: &Core,
    instrumentation: &dyn Instrumentation,
    options: CompileOptions,
) -> Result<Compiled, Refusal> {
    let procedure = program.proc(proc);
    let Some(body) = &procedure.body else {
        return Err(Refusal::at(procedure.span, "a procedure without a body"));
    };
    for (kind, what) in [
        (CheckKind::Overflow, "checks of signed overflow"),
        (CheckKind::Acyclic, "checks for cycles"),
    ] {
        if options.checks.contains(kind) {
            return Err(Refusal::at(procedure.span, what));
        }
    }
    let mut compiler = Compiler {
        program,
        proc,
        procedure,
        variables,
        core,
        instrumentation,
        options,
        out: Compiled {
            entry: 0,
            places: Vec::new(),
            blocks: Vec::new(),
            transitions: Vec::new(),
            checks: Vec::new(),
            untranslated: Vec::new(),
        },
    };
    compiler.procedure(body)?;
    Ok(compiler.out)
}

struct Compiler<'a> {
    program: &'a Program,
    proc: ProcId,
    procedure: &'a Procedure,
    variables: &'a Variables,
    core: &'a Core,
    instrumentation: &'a dyn Instrumentation,
    options: CompileOptions,
    out: Compiled,
}

impl Compiler<'_> {
    fn procedure(&mut self, body: &Body) -> Result<(), Refusal> {
        // Points in the order of the code, so that the worklist finishes loops before what follows.
        for (b, block) in body.blocks.iter().enumerate() {
            self.out.blocks.push(self.out.places.len());
            for instr in 0..=block.instrs.len() {
                self.add_point(b, instr);
            }
        }
        self.out.entry = self.out.blocks[body.entry.0 as usize];
        if let Assigns::Places(_, span) = self.procedure.contract.assigns
            && self.options.checks.contains(CheckKind::Assigns)
        {
            self.out.untranslated.push(Refusal::at(span, "an assigns clause"));
        }
        for (b, block) in body.blocks.iter().enumerate() {
            let first = self.out.blocks[b];
            for (i, instr) in block.instrs.iter().enumerate() {
                self.instruction(first + i, instr)?;
            }
            self.terminator(first + block.instrs.len(), block)?;
        }
        Ok(())
    }

    fn add_point(&mut self, block: usize, instr: usize) -> usize {
        let block = trellis_program::BlockId(block as u32);
        self.out.places.push(Point { proc: self.proc, block, instr: instr as u32 });
        self.out.places.len() - 1
    }

    /// One more point at the place of another.
    fn extra_point(&mut self, like: usize) -> usize {
        let place = self.out.places[like];
        self.out.places.push(place);
        self.out.places.len() - 1
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

    fn terminator(&mut self, from: usize, block: &Block) -> Result<(), Refusal> {
        let span = block.term_span;
        match &block.term {
            Terminator::Goto(target) => {
                let to = self.out.blocks[target.0 as usize];
                self.push(from, to, Statement::Skip, Vec::new());
            }
            Terminator::Branch { cond, then, els } => {
                let condition = self.condition(cond, span)?;
                let (then, els) =
                    (self.out.blocks[then.0 as usize], self.out.blocks[els.0 as usize]);
                self.push_guard(from, then, condition.clone());
                self.push_guard(from, els, condition.not());
            }
            Terminator::Return(value) => self.return_from(from, value.as_ref(), span)?,
            Terminator::Exit | Terminator::ExitFreed => {
                return Err(Refusal::at(span, "a call of exit"));
            }
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
    ) -> Result<(), Refusal> {
        let mut at = from;
        let mut statements = Vec::new();
        match (value, self.variables.result) {
            (Some(value), Some(result)) => statements.push(match self.pointer(value, span)? {
                Some(x) => Statement::Copy(result, x),
                None => Statement::Null(result),
            }),
            (Some(value), None) => self.harmless(value, span)?,
            (None, _) => {}
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
        let on = self.options.checks.contains(CheckKind::Postcondition);
        let ensures = self.procedure.contract.ensures.iter().enumerate();
        for (i, clause) in ensures.filter(|_| on) {
            let translated = self.translate(&clause.formula, View::AtReturn);
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

    fn translate(
        &self,
        formula: &trellis_program::spec::Formula,
        view: View,
    ) -> Result<Translated, String> {
        let fact = read(&self.reading(view), formula)?;
        translate(&fact, self.core, self.instrumentation)
    }

    fn reading(&self, view: View) -> Reading<'_> {
        let &Compiler { program, proc, variables, .. } = self;
        Reading { program, proc, variables, view }
    }

    fn note_untranslated(&mut self, span: Span, reason: String) {
        let note = Refusal::at(span, reason);
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
    ) -> Result<(), Refusal> {
        let mut action = Action { name: "state".into(), ..Action::default() };
        let formula = match cond {
            Cond::Expr(e) => Some(self.condition(e, span)?),
            Cond::Spec(_) if checked.is_some_and(|k| !self.options.checks.contains(k)) => None,
            Cond::Spec(f) => match self.translate(f, View::Now) {
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
            },
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
