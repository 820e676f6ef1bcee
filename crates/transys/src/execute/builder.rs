//! A transition system in the making, and what every step of a path needs: assumptions, errors,
//! witnesses, formulas about the current state.
//!
//! **Invariant.** Guards are about the beginning of a path. A formula about the current state comes
//! among them only by [`Builder::of_now`] and expansion.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{Arena, Budget, FormulaId, RelId, Subst, TermId, Vocabulary};
use trellis_program::view::ProgramVocabulary;
use trellis_program::{CheckKind, Program, Refusal, Span};
use trellis_solver::Solver;

use super::paths::{Path, Target};
use super::state::{Run, Witnesses};
use crate::symbols::Symbols;
use crate::system::{BadState, ErrorKind, LocationId, Options};
use crate::theory::{HeapLogic, Purpose};

/// Why a path does not go on.
pub(crate) enum Stop {
    /// It ends here: a check fails for sure, or an assumption is false.
    End,
    /// It cannot be followed.
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

/// One step of a path.
pub(crate) type Step<T> = Result<T, Stop>;

/// A transition system in the making.
pub(crate) struct Builder<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    /// What following the paths may cost.
    pub(crate) budget: Budget,
    pub(crate) view_arena: Arena,
    pub(crate) logic: Vocabulary,
    pub(crate) arena: Arena,
    pub(crate) symbols: Symbols,
    pub(crate) witnesses: Witnesses,
    /// The location that the paths being followed start from.
    pub(crate) from: LocationId,
    /// The constants that denote objects in the state there.
    pub(crate) live_pointers: Vec<trellis_logic::FunId>,
    pub(crate) locations: Vec<crate::system::Location>,
    pub(crate) paths: Vec<Path>,
    /// How many guards and blocks the paths have together.
    pub(crate) lengths: usize,
    /// Contract formulas that were translated: holds, by the address of the formula.
    pub(crate) clauses: BTreeMap<(usize, bool), FormulaId>,
    /// Where values are less known than in the program.
    pub(crate) imprecise: BTreeSet<Span>,
    /// Whether objects can be freed, go out of scope, or be new.
    pub(crate) may_free: bool,
    pub(crate) may_allocate: bool,
    /// Whether objects can be lost: pointer fields or globals are written.
    pub(crate) may_unlink: bool,
    /// Cells that may be undefined at a cut point, and variables that may have no value there.
    pub(crate) undefined_at_cuts: BTreeSet<RelId>,
    /// What the symbols are for.
    pub(crate) purpose: Purpose,
    /// Whom to ask about formulas.
    pub(crate) solver: &'a dyn Fn() -> Box<dyn Solver>,
    /// How the heap is reached at the entry.
    pub(crate) heap_at_entry: crate::contract::entry_heap::EntryHeap,
}

impl Builder<'_> {
    pub(crate) fn view(&self) -> &ProgramVocabulary {
        &self.symbols.view
    }

    /// Where formulas about pointer fields are made.
    pub(crate) fn heap(&mut self) -> HeapLogic<'_> {
        let fields = self.symbols.fields();
        HeapLogic { arena: &mut self.arena, vocabulary: &self.logic, fields }
    }

    pub(crate) fn null(&mut self) -> TermId {
        self.arena.constant(self.symbols.null)
    }

    pub(crate) fn data_constant(&mut self, value: i128) -> TermId {
        let fun = self.symbols.constant(&mut self.logic, value);
        self.arena.constant(fun)
    }

    /// Adds a contract formula about the current state to the guards.
    pub(crate) fn assume(&mut self, run: &mut Run, formula: FormulaId) -> Step<()> {
        match self.arena.expand(formula, &run.now) {
            FormulaId::TRUE => Ok(()),
            FormulaId::FALSE => Err(Stop::End),
            guard => {
                run.guards.push(guard);
                Ok(())
            }
        }
    }

    /// A formula about the current state and some objects, in terms of the path's beginning. The
    /// objects are terms of the beginning, so they must not be expanded themselves.
    pub(crate) fn of_now<const N: usize>(
        &mut self,
        run: &Run,
        objects: [TermId; N],
        build: impl FnOnce(&mut HeapLogic<'_>, [TermId; N]) -> FormulaId,
    ) -> FormulaId {
        let obj = self.symbols.obj;
        let vars: [_; N] = std::array::from_fn(|i| self.arena.variable(format!("$object{i}"), obj));
        let places = vars.map(|v| self.arena.var_term(v));
        let formula = build(&mut self.heap(), places);
        let formula = self.arena.expand(formula, &run.now);
        let subst: Subst = vars.into_iter().zip(objects).collect();
        self.arena.subst(formula, &subst)
    }

    /// Whether a unary relation holds of an object now.
    pub(crate) fn holds_of(&mut self, run: &Run, rel: RelId, object: TermId) -> FormulaId {
        self.of_now(run, [object], |heap, [x]| heap.arena.rel(rel, &[x]))
    }

    /// A check fails where the formula holds, which is about the path's beginning; the path goes
    /// on where not. A check that is off ends the execution there, as on the machine.
    pub(crate) fn error(
        &mut self,
        run: &mut Run,
        kind: CheckKind,
        span: Span,
        fails: FormulaId,
    ) -> Step<()> {
        // With `uninit` off, the machine goes on with any value, which no path here does.
        if self.options.checks.contains(kind) || kind == CheckKind::Uninit {
            self.bad(run, ErrorKind::Check(kind), span, fails);
        }
        let passes = self.arena.not(fails);
        self.assume_now(run, passes)
    }

    /// An assumption about the state at the path's beginning.
    pub(crate) fn assume_now(&mut self, run: &mut Run, formula: FormulaId) -> Step<()> {
        match formula {
            FormulaId::TRUE => Ok(()),
            FormulaId::FALSE => Err(Stop::End),
            guard => {
                run.guards.push(guard);
                Ok(())
            }
        }
    }

    /// Records a path into an error, if the formula about its beginning can hold.
    pub(crate) fn bad(&mut self, run: &Run, kind: ErrorKind, span: Span, fails: FormulaId) {
        if fails == FormulaId::FALSE {
            return;
        }
        let mut guards = run.guards.clone();
        guards.push(fails);
        self.record(Path {
            from: self.from,
            to: Target::Error(BadState { kind, span }),
            guards,
            update: trellis_logic::Definitions::new(),
            used: run.used,
            blocks: run.blocks.clone(),
        });
    }

    /// A new object witness.
    pub(crate) fn choose_object(&mut self, run: &mut Run) -> TermId {
        let i = run.used.objects;
        run.used.objects += 1;
        if i == self.witnesses.objects.len() {
            let fun = self.logic.constant(format!("α{}", i + 1), self.symbols.obj);
            self.witnesses.objects.push(fun);
        }
        self.arena.constant(self.witnesses.objects[i])
    }

    pub(crate) fn choose_data(&mut self, run: &mut Run) -> TermId {
        let i = run.used.data;
        run.used.data += 1;
        if i == self.witnesses.data.len() {
            let fun = self.logic.constant(format!("δ{}", i + 1), self.symbols.data);
            self.witnesses.data.push(fun);
        }
        self.arena.constant(self.witnesses.data[i])
    }

    pub(crate) fn choose_truth(&mut self, run: &mut Run) -> FormulaId {
        let i = run.used.truths;
        run.used.truths += 1;
        if i == self.witnesses.truths.len() {
            let rel = self.logic.relation(format!("β{}", i + 1), &[]);
            self.witnesses.truths.push(rel);
        }
        self.arena.rel(self.witnesses.truths[i], &[])
    }
}
