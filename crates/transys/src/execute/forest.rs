//! Trees in a symbolic state.
//!
//! A rotation gives a node two parents between two statements. So a path does not attach what it
//! writes to the fields of a tree at once: the first write to a cell detaches what hangs there, the
//! written values are kept, loads look at them first, and where the path ends, or a contract is
//! looked at, all of them are attached. Only then the heap has to be a forest; where it is none,
//! the path runs into a bad state.
//!
//! **Invariant.** The heap is that of the definitions with what is kept attached, a later write to a
//! cell before an earlier one. The cells that are kept are null in the definitions.

use trellis_logic::{Definitions, FormulaId, RelId, TermId};
use trellis_program::Span;
use trellis_solver::forest::Forest as Laws;

use super::state::Run;
use super::{Builder, Step};
use crate::system::ErrorKind;
use crate::theory::FieldAt;

/// A write to a field of a tree that is not attached yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    pub(crate) field: usize,
    pub(crate) object: TermId,
    pub(crate) target: TermId,
    /// Where; an object that ceases to exist loses its children without being written.
    pub(crate) at: Option<Span>,
}

impl Builder<'_> {
    /// Whether a field leads to the children of trees.
    pub(crate) fn is_child_field(&self, field: usize) -> bool {
        self.symbols.pointers[field].set.is_some()
    }

    /// Freed and future objects have no children.
    pub(crate) fn forest_axioms(&mut self) -> Vec<FormulaId> {
        let vars = ["$x", "$y"].map(|n| self.arena.variable(n, self.symbols.obj));
        let [x, y] = vars.map(|v| self.arena.var_term(v));
        let mut axioms = Vec::new();
        for field in 0..self.symbols.pointers.len() {
            for at in [FieldAt::now(field), FieldAt::entry(field)] {
                let theory = self.symbols.pointers[field].theory;
                let Some(child) = theory.subtree(&mut self.heap(), at, x, y) else { continue };
                let there = self.arena.rel(self.symbols.alloc.at(at.label), &[x]);
                let body = self.arena.implies(child, there);
                let axiom = self.arena.forall(&vars, body);
                if !axioms.contains(&axiom) {
                    axioms.push(axiom);
                }
            }
        }
        axioms
    }

    /// What a child field of an object holds now.
    pub(crate) fn child(&mut self, run: &mut Run, field: usize, object: TermId) -> TermId {
        if let Some(&known) = run.known.get(&(field, object)) {
            return known;
        }
        // The writes that may have been to this cell, the last one first; one that was to it for
        // sure ends the search.
        let (mut writes, mut sure) = (Vec::new(), None);
        for written in run.written.clone().into_iter().rev().filter(|w| w.field == field) {
            if written.object == object {
                sure = Some(written.target);
                break;
            }
            if !self.are_apart(run, written.object, object) {
                writes.push(written);
            }
        }
        let found = match (sure, writes.is_empty()) {
            (Some(target), true) => target,
            _ => {
                let found = self.choose_object(run);
                let (mut cases, mut others) = (Vec::new(), Vec::new());
                for written in writes {
                    let here = self.arena.eq(object, written.object);
                    let same = self.arena.eq(found, written.target);
                    let elsewhere = self.arena.and(others.iter().copied());
                    cases.push(self.arena.and([elsewhere, here, same]));
                    others.push(self.arena.not(here));
                }
                let unwritten = match sure {
                    Some(target) => self.arena.eq(found, target),
                    None => {
                        let at = FieldAt::now(field);
                        self.of_now(run, [object, found], |heap, [x, y]| heap.load(at, x, y))
                    }
                };
                others.push(unwritten);
                cases.push(self.arena.and(others));
                let guard = self.arena.or(cases);
                run.guards.push(guard);
                found
            }
        };
        run.known.insert((field, object), found);
        found
    }

    /// Names all children of an object, whether the code reads them or not: a structure in which it
    /// has two at one field is none of a heap, and a store would lose one of them.
    pub(crate) fn children(&mut self, run: &mut Run, field: usize, object: TermId) {
        for field in self.symbols.fields().set_of(field) {
            self.child(run, field, object);
        }
    }

    /// Writes to a child field; without a target, the cell leads nowhere.
    pub(crate) fn write_child(
        &mut self,
        run: &mut Run,
        field: usize,
        object: TermId,
        target: Option<TermId>,
        span: Span,
    ) {
        self.children(run, field, object);
        if !self.is_empty(run, field, object) {
            self.change_forest(run, field, |laws, number| laws.detach(Some(number), object));
            run.cut.insert((field, object));
        }
        let target = match target {
            Some(target) => target,
            None => self.null(),
        };
        self.store_edge(run, field, object, target);
        self.keep(run, Written { field, object, target, at: Some(span) });
    }

    /// An object has no children any more.
    pub(crate) fn lose_children(&mut self, run: &mut Run, field: usize, object: TermId) {
        self.children(run, field, object);
        let set = self.symbols.fields().set_of(field);
        if !set.iter().all(|f| self.is_empty(run, *f, object)) {
            self.change_forest(run, field, |laws, _| laws.detach(None, object));
            run.cut.extend(set.iter().map(|f| (*f, object)));
        }
        let null = self.null();
        for field in set {
            self.store_edge(run, field, object, null);
            self.keep(run, Written { field, object, target: null, at: None });
        }
    }

    /// Keeps a write, and forgets what it overwrites.
    fn keep(&mut self, run: &mut Run, new: Written) {
        let same = |w: &Written| w.field == new.field && w.object == new.object;
        run.written.retain(|w| !same(w));
        let mut earlier = false;
        for w in run.written.clone().iter().filter(|w| w.field == new.field) {
            earlier |= !self.are_apart(run, w.object, new.object);
        }
        // Null has to be kept only where it may hide something.
        if earlier || new.target != self.null() {
            run.written.push(new);
        }
        let cells: Vec<(usize, TermId)> = run.known.keys().copied().collect();
        for (field, object) in cells.into_iter().filter(|(field, _)| *field == new.field) {
            if object != new.object && !self.are_apart(run, object, new.object) {
                run.known.remove(&(field, object));
            }
        }
        run.known.insert((new.field, new.object), new.target);
    }

    /// Whether a cell is known to be null in the definitions.
    fn is_empty(&mut self, run: &Run, field: usize, object: TermId) -> bool {
        let is_new = run.named.contains(&object) && !run.attached;
        if is_new || run.cut.contains(&(field, object)) {
            return true;
        }
        let null = self.null();
        match run.known.get(&(field, object)) {
            Some(&known) => {
                let (is_null, null_is) = (self.arena.eq(known, null), self.arena.eq(null, known));
                is_null == FormulaId::TRUE
                    || run.guards.contains(&is_null)
                    || run.guards.contains(&null_is)
            }
            None => false,
        }
    }

    /// Whether two objects are known to differ.
    fn are_apart(&mut self, run: &Run, a: TermId, b: TermId) -> bool {
        if a == b {
            return false;
        }
        let named = |x: &TermId| run.named.contains(x);
        if named(&a) && named(&b) {
            return true;
        }
        // A new object differs from all that could be named when it was made.
        self.differ(run, a, b)
    }

    /// Attaches all that was written. Where the heap is no forest then, a path ends in an error.
    pub(crate) fn attach_all(&mut self, run: &mut Run) -> Step<()> {
        if run.written.is_empty() {
            return Ok(());
        }
        let written = std::mem::take(&mut run.written);
        run.cut.clear();
        run.attached = true;
        let null = self.null();
        let (mut wrong, mut last) = (Vec::new(), None);
        for (i, w) in written.iter().enumerate().filter(|(_, w)| w.target != null) {
            let mut when = Vec::new();
            for later in written[i + 1..].iter().filter(|l| l.field == w.field) {
                if !self.are_apart(run, later.object, w.object) {
                    when.push(self.arena.ne(later.object, w.object));
                }
            }
            let when = self.arena.and(when);
            let at = FieldAt::now(w.field);
            let forbidden = self.of_now(run, [w.object, w.target], |heap, [x, y]| {
                heap.in_forest(at, |laws, _| laws.forbidden(x, y))
            });
            wrong.push(self.arena.and([when, forbidden]));
            last = w.at.or(last);
            let (object, target) = (w.object, w.target);
            self.change_forest(run, w.field, |laws, number| {
                laws.attach(number, when, object, target)
            });
        }
        let any = self.arena.or(wrong.iter().copied());
        if let Some(last) = last {
            self.bad(run, ErrorKind::Sharing, last, any);
        }
        for wrong in wrong {
            let fine = self.arena.not(wrong);
            self.assume_now(run, fine)?;
        }
        Ok(())
    }

    /// The relations of a forest after a change.
    fn change_forest(
        &mut self,
        run: &mut Run,
        field: usize,
        change: impl FnOnce(&mut Laws<'_>, usize) -> Definitions,
    ) {
        let at = FieldAt::now(field);
        let changed: Vec<RelId> =
            self.symbols.pointers[field].theory.changed(self.symbols.fields(), field);
        let change = self.heap().in_forest(at, change);
        let mut after = Vec::new();
        for rel in changed {
            let (vars, terms) = self.params(rel);
            // The objects of the change are terms of the path's beginning, so only the relations
            // are replaced.
            let atom = self.arena.rel(rel, &terms);
            let formula = self.arena.expand(atom, &change);
            after.push((rel, vars, terms, self.relations_now(run, formula)));
        }
        self.define_stored(run, after);
    }

    /// A formula whose relations are those of the current state, and whose terms are of the path's
    /// beginning, in terms of the beginning.
    fn relations_now(&mut self, run: &Run, formula: FormulaId) -> FormulaId {
        let mut relations = Definitions::new();
        for field in 0..self.symbols.pointers.len() {
            if self.is_child_field(field) {
                let rel = self.symbols.pointers[field].relation.now;
                let (vars, terms) = self.params(rel);
                let atom = self.arena.rel(rel, &terms);
                let now = self.arena.expand(atom, &run.now);
                relations.define_rel(rel, &vars, now);
            }
        }
        self.arena.expand(formula, &relations)
    }
}
