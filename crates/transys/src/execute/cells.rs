//! Cells in a symbolic state: loads and stores.
//!
//! A load of a pointer names what it finds with a witness α and assumes that the cell holds α (paper
//! 000, equation 2). A store replaces the relation of the field by the one after the store (Table 5);
//! what these are is up to the theory of the field.
//!
//! **Invariant.** What cells are known to hold is what they hold now.

use trellis_logic::{FormulaId, FunId, RelId, Subst, TermId, VarId};
use trellis_program::view::{CellKind, Spot};
use trellis_program::{CheckKind, Refusal, Reg, Scalar, Span, TypeId};

use crate::execute::state::{IntValue, Run, Value};
use crate::execute::{Builder, Step, Stop};
use crate::symbols::Flag;
use crate::system::ErrorKind;
use crate::theory::FieldAt;

/// After so many stores in a row, the relation of a field gets a name, so that formulas stay small.
const UNNAMED_STORES: usize = 2;

impl Builder<'_> {
    /// Checks an access; gives the object and the cell's position.
    pub(crate) fn access(
        &mut self,
        run: &mut Run,
        at: Value,
        span: Span,
    ) -> Step<(TermId, usize, i64)> {
        let (object, spot) = match at {
            Value::Ptr(object, spot) => (object, spot),
            Value::Undef => {
                self.error(run, CheckKind::Uninit, span, FormulaId::TRUE)?;
                return Err(Stop::End);
            }
            Value::Int(_) => {
                return Err(Refusal::at(span, "an integer used as a pointer").into());
            }
        };
        let null = self.null();
        let is_null = self.arena.eq(object, null);
        self.error(run, CheckKind::NullDeref, span, is_null)?;
        let Spot::At { family, at } = spot else {
            let reason = "memory read through a pointer without a type";
            return Err(Refusal::at(span, reason).into());
        };
        if run.untyped.contains_key(&object) {
            return Err(Refusal::at(span, "access to memory without a type").into());
        }
        if self.may_free {
            let allocated = self.holds_of(run, self.symbols.alloc.now, object);
            let gone = self.arena.not(allocated);
            self.error(run, CheckKind::UseAfterFree, span, gone)?;
        }
        Ok((object, family, at))
    }

    /// The types of a family that have a cell; where others do not, an access is out of bounds.
    pub(crate) fn in_bounds(
        &mut self,
        run: &mut Run,
        object: TermId,
        family: usize,
        roots: &[TypeId],
        span: Span,
    ) -> Step<()> {
        let members: Vec<TypeId> = self.view().family(family).map(|(ty, _, _)| ty).collect();
        if self.symbols.types.is_empty() || members.iter().all(|ty| roots.contains(ty)) {
            return Ok(());
        }
        let has: Vec<RelId> =
            roots.iter().filter_map(|ty| self.symbols.types.get(ty)).copied().collect();
        let has: Vec<FormulaId> = has.iter().map(|rel| self.arena.rel(*rel, &[object])).collect();
        let has = self.arena.or(has);
        let out = self.arena.not(has);
        self.error(run, CheckKind::Bounds, span, out)
    }

    /// Reads a cell. Where it may be undefined, another run goes on without a value.
    pub(crate) fn load(
        &mut self,
        run: &mut Run,
        at: Value,
        scalar: Scalar,
        span: Span,
        others: &mut Vec<Run>,
        dst: Reg,
    ) -> Step<Value> {
        let (object, family, position) = self.access(run, at, span)?;
        let cell = match self.view().cell(family, position, scalar) {
            Ok(_) => {
                trellis_program::view::Cell { family, at: position, kind: kind(scalar, span)? }
            }
            Err(e) => return Err(Refusal::at(span, e.reason).into()),
        };
        if let Some(i) = self.symbols.pointer_field(cell) {
            let field = self.symbols.pointers[i].clone();
            self.in_bounds(run, object, family, &field.roots, span)?;
            self.defined_or_fork(run, field.undefined, object, others, dst, span)?;
            let trellis_program::view::Kind::Ptr(spot) = field.kind else {
                return Err(Refusal::at(span, "a field of changing kind").into());
            };
            return Ok(Value::Ptr(self.successor(run, i, object), spot));
        }
        let Some(i) = self.symbols.integer_field(cell) else {
            return Err(Refusal::at(span, "a field that the logic does not have").into());
        };
        let field = self.symbols.integers[i].clone();
        self.in_bounds(run, object, family, &field.roots, span)?;
        self.defined_or_fork(run, field.undefined, object, others, dst, span)?;
        Ok(Value::Int(match field.now {
            Flag::Truth(rel) => IntValue::Truth(self.holds_of(run, rel, object)),
            Flag::Data(fun) => IntValue::Data(self.data_of(run, fun, object)),
        }))
    }

    /// What an integer field of an object holds now.
    pub(crate) fn data_of(&mut self, run: &Run, fun: FunId, object: TermId) -> TermId {
        let ([var, _], [any, _]) = self.pair();
        let term = self.arena.app(fun, &[any]);
        let term = self.arena.expand_term(term, &run.now);
        self.arena.subst_term(term, &Subst::single(var, object))
    }

    /// What a pointer field of an object holds now.
    pub(crate) fn successor(&mut self, run: &mut Run, field: usize, object: TermId) -> TermId {
        if self.is_child_field(field) {
            self.children(run, field, object);
            return self.child(run, field, object);
        }
        if let Some(&known) = run.known.get(&(field, object)) {
            return known;
        }
        let (found, at) = (self.choose_object(run), FieldAt::now(field));
        let edge = self.of_now(run, [object, found], |heap, [x, y]| heap.load(at, x, y));
        run.guards.push(edge);
        run.known.insert((field, object), found);
        found
    }

    /// Writes a cell.
    pub(crate) fn store(
        &mut self,
        run: &mut Run,
        at: Value,
        scalar: Scalar,
        value: Value,
        span: Span,
    ) -> Step<()> {
        let (object, family, position) = self.access(run, at, span)?;
        if let Err(e) = self.view().cell(family, position, scalar) {
            return Err(Refusal::at(span, e.reason).into());
        }
        let cell = trellis_program::view::Cell { family, at: position, kind: kind(scalar, span)? };
        if let Some(i) = self.symbols.pointer_field(cell) {
            let field = self.symbols.pointers[i].clone();
            self.in_bounds(run, object, family, &field.roots, span)?;
            return self.store_pointer(run, i, object, value, span);
        }
        let Some(i) = self.symbols.integer_field(cell) else {
            return Err(Refusal::at(span, "a field that the logic does not have").into());
        };
        let field = self.symbols.integers[i].clone();
        self.in_bounds(run, object, family, &field.roots, span)?;
        self.store_integer(run, i, object, value, span)
    }

    pub(crate) fn store_pointer(
        &mut self,
        run: &mut Run,
        field: usize,
        object: TermId,
        value: Value,
        span: Span,
    ) -> Step<()> {
        let (kind, undefined) =
            (self.symbols.pointers[field].kind, self.symbols.pointers[field].undefined);
        let target = match value {
            Value::Ptr(term, spot) => {
                let trellis_program::view::Kind::Ptr(wanted) = kind else {
                    return Err(Refusal::at(span, "a field of changing kind").into());
                };
                self.fits(run, term, spot, wanted, span)?;
                term
            }
            Value::Int(IntValue::Const(0)) => self.null(),
            Value::Undef => {
                self.mark_undefined(run, undefined, object, true);
                match self.is_child_field(field) {
                    true => self.write_child(run, field, object, None, span),
                    false => self.link(run, field, object, None),
                }
                return Ok(());
            }
            Value::Int(_) => {
                return Err(Refusal::at(span, "an integer stored as a pointer").into());
            }
        };
        if self.is_child_field(field) {
            self.mark_undefined(run, undefined, object, false);
            self.write_child(run, field, object, Some(target), span);
            return Ok(());
        }
        if let Some((kind, forbidden)) = self.forbidden_store(run, field, object, target) {
            self.bad(run, kind, span, forbidden);
            let allowed = self.arena.not(forbidden);
            self.assume_now(run, allowed)?;
        }
        self.mark_undefined(run, undefined, object, false);
        self.link(run, field, object, Some(target));
        Ok(())
    }

    /// When `object->f = target` makes a heap that cannot be followed.
    fn forbidden_store(
        &mut self,
        run: &Run,
        field: usize,
        object: TermId,
        target: TermId,
    ) -> Option<(ErrorKind, FormulaId)> {
        let mut kind = None;
        let formula = self.of_now(run, [object, target], |heap, [x, y]| {
            match heap.forbidden_store(field, x, y) {
                Some((what, when)) => {
                    kind = Some(what);
                    when
                }
                None => FormulaId::FALSE,
            }
        });
        Some((kind?, formula))
    }

    /// The heap after `object->f = target`; without a target, the cell leads nowhere.
    pub(crate) fn link(
        &mut self,
        run: &mut Run,
        field: usize,
        object: TermId,
        target: Option<TermId>,
    ) {
        let to = match target {
            Some(target) => target,
            None => self.null(),
        };
        self.store_edge(run, field, object, to);
        // All of them change at once: each is told in terms of what all were before.
        let changed = self.symbols.pointers[field].theory.changed(self.symbols.fields(), field);
        let mut after = Vec::new();
        for rel in changed {
            let (vars, terms) = self.params(rel);
            let formula = self.of_now(run, [object, to], |heap, [x, y]| {
                let stored = heap.store(field, x, y);
                let atom = heap.arena.rel(rel, &terms);
                heap.arena.expand(atom, &stored)
            });
            after.push((rel, vars, terms, formula));
        }
        self.define_stored(run, after);
        run.known.retain(|(of, _), _| *of != field);
        if let Some(target) = target {
            run.known.insert((field, object), target);
        }
    }

    /// Relations after a store, each in terms of its parameters; after some in a row they get names.
    pub(super) fn define_stored(
        &mut self,
        run: &mut Run,
        after: Vec<(RelId, Vec<VarId>, Vec<TermId>, FormulaId)>,
    ) {
        for (rel, vars, terms, formula) in after {
            let stores = run.stores.entry(rel).or_insert(0);
            *stores += 1;
            if *stores < UNNAMED_STORES {
                run.now.define_rel(rel, &vars, formula);
            } else {
                *stores = 0;
                let version = self.version(run, vars.len());
                let named = self.arena.rel(version, &terms);
                let same = self.arena.iff(named, formula);
                let definition = self.arena.forall(&vars, same);
                run.guards.push(definition);
                run.now.define_rel(rel, &vars, named);
            }
        }
    }

    /// A relation that names the one of a field in the middle of a path.
    pub(super) fn version(&mut self, run: &mut Run, arity: usize) -> RelId {
        let all = &self.witnesses.versions;
        let unused = run.used.versions..all.len();
        let fits = |i: &usize| self.logic.rel(all[*i]).args.len() == arity;
        let i = unused.into_iter().find(fits).unwrap_or(all.len());
        run.used.versions = i + 1;
        if i == self.witnesses.versions.len() {
            let args = vec![self.symbols.obj; arity];
            let rel = self.logic.relation(format!("reach_{}", i + 1), &args);
            self.witnesses.versions.push(rel);
        }
        self.witnesses.versions[i]
    }

    /// Variables for the arguments of a relation of objects.
    pub(crate) fn params(&mut self, rel: RelId) -> (Vec<VarId>, Vec<TermId>) {
        let arity = self.logic.rel(rel).args.len();
        let names = ('a'..='z').take(arity).map(|letter| format!("${letter}"));
        let vars: Vec<VarId> =
            names.map(|name| self.arena.variable(name, self.symbols.obj)).collect();
        let terms = vars.iter().map(|v| self.arena.var_term(*v)).collect();
        (vars, terms)
    }

    pub(crate) fn pair(&mut self) -> ([VarId; 2], [TermId; 2]) {
        let vars = ["$a", "$b"].map(|name| self.arena.variable(name, self.symbols.obj));
        (vars, vars.map(|v| self.arena.var_term(v)))
    }

    /// A unary relation changed at one object.
    pub(crate) fn change_at(
        &mut self,
        run: &mut Run,
        rel: RelId,
        object: TermId,
        value: FormulaId,
    ) {
        let ([var, _], [any, _]) = self.pair();
        let before = self.arena.rel(rel, &[any]);
        let before = self.arena.expand(before, &run.now);
        let here = self.arena.eq(any, object);
        let (new, elsewhere) = (self.arena.and([here, value]), self.arena.not(here));
        let old = self.arena.and([elsewhere, before]);
        let after = match value {
            FormulaId::TRUE => self.arena.or([here, before]),
            FormulaId::FALSE => old,
            _ => self.arena.or([new, old]),
        };
        run.now.define_rel(rel, &[var], after);
    }

    pub(crate) fn store_integer(
        &mut self,
        run: &mut Run,
        field: usize,
        object: TermId,
        value: Value,
        span: Span,
    ) -> Step<()> {
        let field = self.symbols.integers[field].clone();
        if value == Value::Undef {
            self.mark_undefined(run, field.undefined, object, true);
            return Ok(());
        }
        self.mark_undefined(run, field.undefined, object, false);
        match (field.now, value) {
            (Flag::Truth(rel), value) => {
                let truth = self.truth(run, value);
                self.change_at(run, rel, object, truth);
            }
            (Flag::Data(fun), Value::Int(value)) => {
                let CellKind::Int(kind) = field.cell.kind else {
                    return Err(Refusal::at(span, "a field of changing kind").into());
                };
                let term = self.data_or_any(run, value, kind);
                self.change_data(run, fun, object, term);
            }
            _ => return Err(Refusal::at(span, "a pointer stored as an integer").into()),
        }
        Ok(())
    }

    fn change_data(&mut self, run: &mut Run, fun: FunId, object: TermId, term: TermId) {
        let ([var, _], [any, _]) = self.pair();
        let before = self.arena.app(fun, &[any]);
        let before = self.arena.expand_term(before, &run.now);
        let here = self.arena.eq(any, object);
        let after = self.arena.ite(here, term, before);
        run.now.define_fun(fun, &[var], after);
    }
}

fn kind(scalar: Scalar, span: Span) -> Step<CellKind> {
    match scalar {
        Scalar::Ptr(_) => Ok(CellKind::Ptr),
        Scalar::Int(kind) => Ok(CellKind::Int(kind)),
        Scalar::Float(_) => Err(Refusal::at(span, "a floating-point number").into()),
        Scalar::Bits(_) => Err(Refusal::at(span, "a bit-field").into()),
    }
}
