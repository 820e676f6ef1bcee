//! Which fields are seen one step at a time.
//!
//! A contract that follows one field of an object and speaks of another one for all objects,
//! without following it, constrains the second in terms of the first: a derived field of *Symbolic
//! Shape Analysis*, section 2. Of such a field the cells matter, not the paths. Of a field that
//! neither the code nor a contract mentions (`parent` where a tree is searched from its root) not
//! even the cells matter: it has no symbol, and what is reached over it is not known.
//!
//! **Invariant.** Any choice is sound: the theory of cells has all heaps.

use std::collections::BTreeSet;

use trellis_logic::{Arena, Formula, FormulaId, RelKind, Term, TermId};
use trellis_program::view::{Cell, Kind, ProgramVocabulary, Spot};

use crate::symbols::changes::Changes;

/// The fields that lead from objects back to such objects, and of which nobody speaks.
pub(crate) fn idle(view: &ProgramVocabulary, changes: &Changes) -> BTreeSet<Cell> {
    let in_set = |cell: &Cell| view.field_sets().iter().any(|set| set.cells.contains(cell));
    let recursive = view.fields().filter(|(_, f)| f.closure.is_some()).map(|(cell, _)| cell);
    recursive.filter(|cell| changes.ignores(*cell) && !in_set(cell)).collect()
}

/// The fields that the clauses of a procedure speak of for all objects, and do not follow.
pub(crate) fn of_clauses(
    view: &ProgramVocabulary,
    arena: &Arena,
    clauses: &[FormulaId],
) -> BTreeSet<Cell> {
    let mut seen = Seen { view, arena, read: BTreeSet::new(), followed: BTreeSet::new() };
    clauses.iter().for_each(|&clause| seen.formula(clause));
    let sets = view.field_sets().iter().flat_map(|set| set.cells.iter().copied());
    seen.followed.extend(sets);
    let Seen { read, followed, .. } = seen;
    let is_derived = |cell: &Cell| {
        let field = view.fields().find(|(c, _)| c == cell).map(|(_, f)| f);
        let typed = field.is_some_and(|f| matches!(f.kind, Kind::Ptr(Spot::At { .. })));
        let recursive = field.is_some_and(|f| f.closure.is_some());
        let beside = followed.iter().any(|other| other.family == cell.family);
        !followed.contains(cell) && (beside || !typed || !recursive)
    };
    read.into_iter().filter(is_derived).collect()
}

struct Seen<'a> {
    view: &'a ProgramVocabulary,
    arena: &'a Arena,
    /// Pointer fields that are read of quantified objects.
    read: BTreeSet<Cell>,
    followed: BTreeSet<Cell>,
}

impl Seen<'_> {
    fn formula(&mut self, id: FormulaId) {
        match self.arena.formula(id) {
            Formula::True | Formula::False => {}
            Formula::Not(a) | Formula::Quant(_, _, a) => self.formula(*a),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|&part| self.formula(part));
            }
            Formula::Implies(a, b) | Formula::Iff(a, b) => {
                self.formula(*a);
                self.formula(*b);
            }
            Formula::Eq(a, b) | Formula::Le(a, b) | Formula::Lt(a, b) => {
                self.term(*a);
                self.term(*b);
            }
            Formula::Rel(rel, args) => {
                // From a term to itself it says that the term has a value.
                let moves = args.len() == 2 && args[0] != args[1];
                if let RelKind::Closure { field } = self.view.logic.rel(*rel).kind
                    && moves
                {
                    self.followed.extend(self.view.field_of(field).map(|(cell, _)| cell));
                }
                args.iter().for_each(|&t| self.term(t));
            }
        }
    }

    fn term(&mut self, id: TermId) {
        match self.arena.term(id) {
            Term::Var(_) | Term::Num(_) => {}
            Term::App(fun, args) => {
                let quantified = args.iter().any(|a| !self.arena.free_vars_of_term(*a).is_empty());
                if let Some((cell, _)) = self.view.field_of(*fun)
                    && quantified
                    && cell.kind == trellis_program::view::CellKind::Ptr
                {
                    self.read.insert(cell);
                }
                args.iter().for_each(|&a| self.term(a));
            }
            Term::Arith(_, a, b) => {
                self.term(*a);
                self.term(*b);
            }
            Term::Ite(condition, a, b) => {
                self.formula(*condition);
                self.term(*a);
                self.term(*b);
            }
        }
    }
}
