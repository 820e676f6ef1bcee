//! Cells in a symbolic state: loads and stores.
//!
//! A load of a pointer names what it finds with a witness α and assumes that α is the successor
//! (paper 000, equation 2). A store replaces the closure by the one after the store (Table 5).

use trellis_logic::{Formula, FormulaId, FunId, RelId, Subst, TermId};
use trellis_program::view::{CellKind, Spot};
use trellis_program::{CheckKind, Refusal, Reg, Scalar, Span, TypeId};
use trellis_solver::theory;

use crate::execute::{Builder, Step, Stop};
use crate::state::{IntValue, Run, Value};
use crate::symbols::{Flag, PointerField};
use crate::system::ErrorKind;

/// After so many stores in a row, the closure gets a name, so that formulas stay small.
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

    /// Assumes that a cell was written; where not, the variable gets no value in another run.
    #[allow(clippy::too_many_arguments)] // One call, told apart by their types.
    fn defined_or_fork(
        &mut self,
        run: &mut Run,
        undefined: RelId,
        object: TermId,
        others: &mut Vec<Run>,
        dst: Reg,
        span: Span,
    ) -> Step<()> {
        if let Some(fresh) = self.undefined_objects(run, undefined)
            && fresh.iter().all(|o| self.differ(run, object, *o))
        {
            return Ok(());
        }
        let atom = self.holds_of(run, undefined, object);
        if atom == FormulaId::FALSE {
            return Ok(());
        }
        let Some(&unset) = self.symbols.unset.get(&dst) else {
            // A variable that always has a value cannot take none over: stricter than the
            // interpreter, which fails when the value is used.
            return self.error(run, CheckKind::Uninit, span, atom);
        };
        let mut other = run.clone();
        if self.assume_now(&mut other, atom).is_ok() {
            other.now.define_rel(unset, &[], FormulaId::TRUE);
            other.constants.remove(&dst);
            others.push(other);
        }
        let defined = self.arena.not(atom);
        self.assume_now(run, defined)
    }

    /// What a pointer field of an object holds now.
    pub(crate) fn successor(&mut self, run: &mut Run, field: usize, object: TermId) -> TermId {
        let field = self.symbols.pointers[field].clone();
        let key = (field.closure.now, object);
        if let Some(&known) = run.known.get(&key) {
            return known;
        }
        let found = self.choose_object(run);
        let edge = self.of_now(run, [object, found], |arena, logic, [x, y]| match field.edge {
            Some(edge) => arena.rel(edge.now, &[x, y]),
            None => theory::successor(arena, logic, field.closure.now, x, y),
        });
        run.guards.push(edge);
        run.known.insert(key, found);
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
        let field = self.symbols.pointers[field].clone();
        let target = match value {
            Value::Ptr(term, spot) => {
                let trellis_program::view::Kind::Ptr(wanted) = field.kind else {
                    return Err(Refusal::at(span, "a field of changing kind").into());
                };
                self.fits(run, term, spot, wanted, span)?;
                term
            }
            Value::Int(IntValue::Const(0)) => self.null(),
            Value::Undef => {
                self.mark_undefined(run, field.undefined, object, true);
                self.link(run, &field, object, None);
                return Ok(());
            }
            Value::Int(_) => {
                return Err(Refusal::at(span, "an integer stored as a pointer").into());
            }
        };
        if field.recursive {
            let cycle = self.of_now(run, [object, target], |arena, logic, [x, y]| {
                theory::makes_cycle(arena, logic, field.closure.now, x, y)
            });
            self.bad(run, ErrorKind::Cycle, span, cycle);
            let none = self.arena.not(cycle);
            self.assume_now(run, none)?;
        }
        self.mark_undefined(run, field.undefined, object, false);
        self.link(run, &field, object, Some(target));
        Ok(())
    }

    /// The closure after `object->f = target`; without a target, the cell leads nowhere.
    pub(crate) fn link(
        &mut self,
        run: &mut Run,
        field: &PointerField,
        object: TermId,
        target: Option<TermId>,
    ) {
        let closure = field.closure.now;
        let to = match target {
            Some(target) => target,
            None => self.null(),
        };
        self.store_edge(run, field, object, to);
        let (vars, terms) = self.pair();
        let after = self.of_now(run, [object, to], |arena, logic, [x, y]| {
            let stored = theory::store(arena, logic, closure, x, y);
            let atom = arena.rel(closure, &terms);
            arena.expand(atom, &stored)
        });
        let stores = run.stores.entry(closure).or_insert(0);
        *stores += 1;
        if *stores < UNNAMED_STORES {
            run.now.define_rel(closure, &vars, after);
        } else {
            *stores = 0;
            let version = self.version(run);
            let named = self.arena.rel(version, &terms);
            let same = self.arena.iff(named, after);
            let definition = self.arena.forall(&vars, same);
            run.guards.push(definition);
            run.now.define_rel(closure, &vars, named);
        }
        run.known.retain(|(of, _), _| *of != closure);
        if let Some(target) = target {
            run.known.insert((closure, object), target);
        }
    }

    /// A relation that names a closure in the middle of a path.
    fn version(&mut self, run: &mut Run) -> RelId {
        let i = run.used.versions;
        run.used.versions += 1;
        if i == self.witnesses.versions.len() {
            let obj = self.symbols.obj;
            let rel = self.logic.relation(format!("reach_{}", i + 1), &[obj, obj]);
            self.witnesses.versions.push(rel);
        }
        self.witnesses.versions[i]
    }

    pub(crate) fn pair(&mut self) -> ([trellis_logic::VarId; 2], [TermId; 2]) {
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

    pub(crate) fn mark_undefined(
        &mut self,
        run: &mut Run,
        undefined: RelId,
        object: TermId,
        value: bool,
    ) {
        let value = if value { FormulaId::TRUE } else { FormulaId::FALSE };
        if self.holds_of(run, undefined, object) == value {
            return;
        }
        // New objects differ from each other, so writing one leaves the others as they are.
        if value == FormulaId::FALSE
            && run.named.contains(&object)
            && let Some(mut fresh) = self.undefined_objects(run, undefined)
        {
            fresh.retain(|o| *o != object);
            let ([var, _], [any, _]) = self.pair();
            let rest: Vec<FormulaId> = fresh.iter().map(|o| self.arena.eq(any, *o)).collect();
            let rest = self.arena.or(rest);
            run.now.define_rel(undefined, &[var], rest);
            return;
        }
        self.change_at(run, undefined, object, value);
    }

    /// The objects whose cell is undefined, if these are some new objects and no others.
    fn undefined_objects(&mut self, run: &Run, undefined: RelId) -> Option<Vec<TermId>> {
        let ([_, _], [any, _]) = self.pair();
        let atom = self.arena.rel(undefined, &[any]);
        let now = self.arena.expand(atom, &run.now);
        let parts = match self.arena.formula(now) {
            Formula::False => Vec::new(),
            Formula::Or(parts) => parts.to_vec(),
            _ => vec![now],
        };
        let object = |part: &FormulaId| match self.arena.formula(*part) {
            Formula::Eq(a, b) if *a == any => Some(*b),
            Formula::Eq(a, b) if *b == any => Some(*a),
            _ => None,
        };
        let objects: Vec<TermId> = parts.iter().map(object).collect::<Option<_>>()?;
        objects.iter().all(|o| run.named.contains(o)).then_some(objects)
    }

    /// Whether the guards say that two objects differ.
    fn differ(&mut self, run: &Run, a: TermId, b: TermId) -> bool {
        let (ab, ba) = (self.arena.ne(a, b), self.arena.ne(b, a));
        run.guards.contains(&ab) || run.guards.contains(&ba)
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
    }
}
