//! Recursive calls, by what the contract of the procedure says (`trellis_program::promised`).
//!
//! A call can change only what it reaches from its arguments, and new objects: for trees those are the
//! subtrees of its arguments, each of which hangs at one cell of one node at most. That cell is kept as
//! a write of the path, as rotations are; so the subtrees hang nowhere during the call, and the heap
//! after it has two parts that share nothing, the one outside as it was and the one inside as some
//! relations without a definition say. On those the `ensures` clauses are assumed, with `\old` for the
//! state before the call.
//!
//! **Invariant.** What is assumed after a call is what the procedure, entered in a state that its
//! `requires` allow, is shown to do (by induction on the depth of calls): its `ensures`, that it
//! leaks nothing, and that it touches nothing that it cannot reach. What a procedure takes for
//! granted at its entry, that all it reaches is there and has values, is checked before the call.

use trellis_logic::{Definitions, FormulaId, Subst, TermId};
use trellis_program::spec::{Label, Promise};
use trellis_program::view::{self, Spot, Twin};
use trellis_program::{
    CheckKind, Expr, ProcId, Refusal, Reg, Scalar, Span, changes_memory, promised,
};

use super::state::{Run, Value};
use super::{Builder, Step};
use crate::contract::relational::Mode;
use crate::symbols::{Flag, PointerField};
use crate::theory::FieldAt;

/// A call of the procedure by itself.
pub(super) struct Recursion<'a> {
    pub(super) dst: Option<Reg>,
    pub(super) proc: ProcId,
    pub(super) args: &'a [Expr],
    pub(super) span: Span,
}

impl Builder<'_> {
    /// What a recursive call does. Where it is not known whether something hangs at a cell, other
    /// runs go on as well.
    pub(super) fn recursion(
        &mut self,
        run: &mut Run,
        call: &Recursion<'_>,
        others: &mut Vec<Run>,
    ) -> Step<()> {
        // Induction on the depth of calls: what holds before a call is shown where it is made.
        let checks = self.options.checks;
        if !checks.contains(CheckKind::Precondition) {
            let reason = "a recursive call whose precondition is not checked";
            return Err(Refusal::at(call.span, reason).into());
        }
        let Some(mut promises) = promised(self.program, call.proc, call.args, call.dst) else {
            let reason = "a recursive call whose contract or assertions speak of more than the call \
                          reaches, or of a parameter that changes";
            return Err(Refusal::at(call.span, reason).into());
        };
        // What is not shown is not assumed.
        promises.retain(|_| checks.contains(CheckKind::Postcondition));
        self.imprecise.insert(call.span);
        self.attach_all(run)?;
        let mut pointers = Vec::new();
        for arg in call.args {
            if let Value::Ptr(term, _) = self.eval(run, arg, call.span)? {
                pointers.push(term);
            }
        }
        self.entered(run, &pointers, call.span)?;
        if !changes_memory(self.program, call.proc) {
            let before = run.now.clone();
            self.result(run, call, None)?;
            return self.promises(run, &before, &promises);
        }
        let trees = self.trees(pointers, call.span)?;
        if self.is_shape_fixed() {
            let before = run.now.clone();
            self.forget_integers(run, &trees, call)?;
            return self.promises(run, &before, &promises);
        }
        let mut runs = vec![run.clone()];
        for i in 0..trees.len() {
            let mut next = Vec::new();
            for run in &runs {
                next.extend(self.cut_off_tree(run, &trees, i, call.span));
            }
            runs = next;
        }
        for run in &mut runs {
            let before = run.now.clone();
            self.forget_subtrees(run, &trees, call)?;
            self.promises(run, &before, &promises)?;
        }
        let Some(last) = runs.pop() else { return Ok(()) };
        others.extend(runs);
        *run = last;
        Ok(())
    }

    /// What a procedure takes for granted: its arguments and what they reach are allocated and have
    /// values.
    fn entered(&mut self, run: &mut Run, pointers: &[TermId], span: Span) -> Step<()> {
        let Some(turns) = self.heap_at_entry.turns else {
            let reason = "a recursive call where the heap is reached over many fields in turn";
            return Err(Refusal::at(span, reason).into());
        };
        let var = self.arena.variable("$reached", self.symbols.obj);
        let x = self.arena.var_term(var);
        let null = self.null();
        for &pointer in pointers.iter().filter(|p| **p != null) {
            let root = self.arena.variable("$argument", self.symbols.obj);
            let at_root = self.arena.var_term(root);
            let reached = self.reached_over(&[at_root], x, turns, Label::Here);
            let reached = self.arena.expand(reached, &run.now);
            let reached = self.arena.subst(reached, &Subst::single(root, pointer));
            let alloc = self.holds_of(run, self.symbols.alloc.now, x);
            let mut wrong = vec![self.arena.not(alloc)];
            for undefined in self.symbols.undefined() {
                wrong.push(self.holds_of(run, undefined, x));
            }
            let wrong = self.arena.or(wrong);
            let (node, some) = (self.arena.ne(x, null), self.arena.ne(pointer, null));
            let body = self.arena.and([some, node, reached, wrong]);
            let fails = self.arena.exists(&[var], body);
            self.error(run, CheckKind::Precondition, span, fails)?;
        }
        Ok(())
    }

    /// The trees that a call may change, given by pointers to their roots.
    fn trees(&mut self, mut pointers: Vec<TermId>, span: Span) -> Step<Vec<TermId>> {
        let fields = self.symbols.fields();
        let one_set = !fields.all.is_empty() && fields.set_of(0).len() == fields.all.len();
        let in_tree = fields.all.iter().all(|f| f.set.is_some());
        // Of a tree, all fields change or none.
        let changes = |f: &PointerField| f.relation.now != f.relation.entry;
        let changed = fields.all.iter().all(changes) || self.is_shape_fixed();
        if !one_set
            || !in_tree
            || !changed
            || !self.symbols.types.is_empty()
            || !self.symbols.addresses.is_empty()
        {
            let reason = "a recursive call that may change memory other than trees";
            return Err(Refusal::at(span, reason).into());
        }
        let null = self.null();
        pointers.retain(|p| *p != null);
        pointers.sort_unstable();
        pointers.dedup();
        Ok(pointers)
    }

    /// Whether the procedure changes nothing but integers: what never changes has one symbol for all
    /// states.
    fn is_shape_fixed(&self) -> bool {
        let symbols = &self.symbols;
        let fixed = |f: &PointerField| f.relation.now == f.relation.entry;
        symbols.alloc.now == symbols.alloc.entry && symbols.pointers.iter().all(fixed)
    }

    /// One of the subtrees that a call is given hangs nowhere: the cell that holds it is kept as
    /// written. One run for each field that it may hang at, if that is not known, one for none, and
    /// one where it is a part of another one, which the call reaches from there as well.
    fn cut_off_tree(&mut self, run: &Run, trees: &[TermId], i: usize, span: Span) -> Vec<Run> {
        let (null, tree) = (self.null(), trees[i]);
        let mut runs = Vec::new();
        let mut run = run.clone();
        let part = self.is_part(&run, trees, i);
        if part != FormulaId::FALSE {
            let mut inner = run.clone();
            inner.guards.push(part);
            runs.push(inner);
            run.guards.push(self.arena.not(part));
        }
        let holds = |((field, object), found): (&(usize, TermId), &TermId)| {
            (self.is_child_field(*field) && *found == tree).then_some((*field, *object))
        };
        if let Some((field, object)) = run.known.iter().find_map(holds) {
            self.hold(&mut run, field, object, tree, span);
            runs.push(run);
            return runs;
        }
        for field in 0..self.symbols.pointers.len() {
            let mut run = run.clone();
            let object = self.choose_object(&mut run);
            let at = FieldAt::now(field);
            let edge = self.of_now(&run, [object, tree], |heap, [x, y]| heap.load(at, x, y));
            let some = self.arena.ne(tree, null);
            run.guards.extend([edge, some]);
            self.hold(&mut run, field, object, tree, span);
            runs.push(run);
        }
        let var = self.arena.variable("$above", self.symbols.obj);
        let above = self.arena.var_term(var);
        let mut parts = Vec::new();
        for field in &self.symbols.pointers.clone() {
            let rel = field.relation.now;
            let atom =
                self.of_now(&run, [above, tree], |heap, [x, y]| heap.arena.rel(rel, &[x, y]));
            parts.push(self.arena.not(atom));
        }
        let none = self.arena.and(parts);
        run.guards.push(self.arena.forall(&[var], none));
        runs.push(run);
        runs
    }

    /// That one of some subtrees lies in another one, or is one that stands before it.
    fn is_part(&mut self, run: &Run, trees: &[TermId], i: usize) -> FormulaId {
        let (null, tree) = (self.null(), trees[i]);
        let mut parts = Vec::new();
        for (j, &other) in trees.iter().enumerate().filter(|(j, _)| *j != i) {
            let below = self.of_now(run, [other, tree], |heap, [x, y]| {
                heap.in_forest(FieldAt::now(0), |laws, _| laws.below(x, y))
            });
            let same = self.arena.eq(other, tree);
            let apart = self.arena.not(same);
            parts.push(if j < i { below } else { self.arena.and([below, apart]) });
        }
        let part = self.arena.or(parts);
        let some = self.arena.ne(tree, null);
        self.arena.and([part, some])
    }

    fn hold(&mut self, run: &mut Run, field: usize, object: TermId, tree: TermId, span: Span) {
        self.write_child(run, field, object, Some(tree), span);
    }

    /// The result of a call: null, or an object that the call could reach or has made.
    pub(super) fn result(
        &mut self,
        run: &mut Run,
        call: &Recursion<'_>,
        inside: Option<FormulaId>,
    ) -> Step<()> {
        let Some(dst) = call.dst else { return Ok(()) };
        let ret = self.program.proc(call.proc).ret;
        let value = match (self.program.types.scalar(ret), inside) {
            (Some(Scalar::Ptr(to)), Some(inside)) => {
                let Ok(spot @ Spot::At { .. }) = self.view().pointee(to) else {
                    return Err(Refusal::at(call.span, "a recursive call without a type").into());
                };
                let object = self.choose_object(run);
                let ([va, _], _) = self.pair();
                let null = self.null();
                let is_null = self.arena.eq(object, null);
                let known = self.arena.subst(inside, &Subst::single(va, object));
                run.guards.push(self.arena.or([is_null, known]));
                Value::Ptr(object, spot)
            }
            (Some(scalar), _) => self.choose(run, scalar, call.span)?,
            (None, _) => return Err(Refusal::at(call.span, "a struct that is returned").into()),
        };
        self.set(run, dst, value, call.span)
    }

    /// Assumes what a call promises; `\old` is the state before it.
    fn promises(&mut self, run: &mut Run, before: &Definitions, promises: &[Promise]) -> Step<()> {
        let states = self.both_states(run, before);
        let vocabulary = self.symbols.view.clone();
        for promise in promises {
            let refused = |reason: String| Refusal::at(promise.span, reason);
            let translated = view::formula(&vocabulary, &mut self.view_arena, &promise.formula)
                .map_err(|e| refused(e.reason))?;
            let holds = self.relational(Mode::Assume).holds(translated).map_err(refused)?;
            if let trellis_logic::Fragment::Beyond(obstacle) =
                trellis_logic::fragment(&mut self.arena, &self.logic, holds)
            {
                let reason = format!("a formula that solvers cannot decide: {}", obstacle.text);
                return Err(refused(reason).into());
            }
            let guard = self.arena.expand(holds, &states);
            self.assume_now(run, guard)?;
        }
        Ok(())
    }

    /// The current state, with the one before a call in the place of the entry.
    fn both_states(&mut self, run: &Run, before: &Definitions) -> Definitions {
        let mut out = run.now.clone();
        let mut relations = vec![self.symbols.alloc];
        relations.extend(
            self.symbols.pointers.iter().flat_map(|f| [Some(f.relation), f.edge]).flatten(),
        );
        let mut functions = Vec::new();
        for field in &self.symbols.integers {
            match (field.now, field.entry) {
                (Flag::Truth(now), Flag::Truth(entry)) => {
                    relations.push(Twin { now, entry });
                }
                (Flag::Data(now), Flag::Data(entry)) => functions.push((now, entry)),
                _ => {}
            }
        }
        for twin in relations {
            let (vars, terms) = self.params(twin.now);
            let atom = self.arena.rel(twin.now, &terms);
            let then = self.arena.expand(atom, before);
            out.define_rel(twin.entry, &vars, then);
        }
        for (now, entry) in functions {
            let ([va, _], [a, _]) = self.pair();
            let term = self.arena.app(now, &[a]);
            let then = self.arena.expand_term(term, before);
            out.define_fun(entry, &[va], then);
        }
        out
    }
}
