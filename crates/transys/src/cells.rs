//! Memory in a symbolic state: loads, stores, allocation, free.
//!
//! A load of a pointer names what it finds with a witness α and assumes that α is the successor
//! (paper 000, equation 2). A store replaces the closure by the one after the store (Table 5). A
//! fresh object is one that was never allocated and that nothing points to.

use trellis_logic::{Arena, Formula, FormulaId, FunId, RelId, SortId, Subst, TermId};
use trellis_program::view::{CellKind, Spot};
use trellis_program::{CheckKind, Expr, Reg, Scalar, Span, TypeId};
use trellis_solver::theory;

use crate::execute::{Builder, Step, Stop};
use crate::state::{IntValue, Run, Value};
use crate::symbols::Flag;
use crate::system::{ErrorKind, Unsupported};

/// After so many stores in a row, the closure gets a name, so that formulas stay small.
const UNNAMED_STORES: usize = 2;

impl Builder<'_> {
    /// Checks an access; gives the object and the cell's position.
    fn access(&mut self, run: &mut Run, at: Value, span: Span) -> Step<(TermId, usize, i64)> {
        let (object, spot) = match at {
            Value::Ptr(object, spot) => (object, spot),
            Value::Undef => {
                self.error(run, CheckKind::Uninit, span, FormulaId::TRUE)?;
                return Err(Stop::End);
            }
            Value::Int(_) => {
                return Err(Unsupported::at(span, "an integer used as a pointer").into());
            }
        };
        let null = self.null();
        let is_null = self.arena.eq(object, null);
        self.error(run, CheckKind::NullDeref, span, is_null)?;
        let Spot::At { family, at } = spot else {
            let reason = "memory read through a pointer without a type";
            return Err(Unsupported::at(span, reason).into());
        };
        if self.may_free {
            let allocated = self.holds_of(run, self.symbols.alloc.now, object);
            let gone = self.arena.not(allocated);
            self.error(run, CheckKind::UseAfterFree, span, gone)?;
        }
        Ok((object, family, at))
    }

    /// The types of a family that have a cell; where others do not, an access is out of bounds.
    fn in_bounds(
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
            Err(e) => return Err(Unsupported::at(span, e.reason).into()),
        };
        if let Some(i) = self.symbols.pointer_field(cell) {
            let field = self.symbols.pointers[i].clone();
            self.in_bounds(run, object, family, &field.roots, span)?;
            self.defined_or_fork(run, field.undefined, object, others, dst)?;
            let trellis_program::view::Kind::Ptr(spot) = field.kind else {
                return Err(Unsupported::at(span, "a field of changing kind").into());
            };
            return Ok(Value::Ptr(self.successor(run, field.closure.now, object), spot));
        }
        let Some(i) = self.symbols.integer_field(cell) else {
            return Err(Unsupported::at(span, "a field that the logic does not have").into());
        };
        let field = self.symbols.integers[i].clone();
        self.in_bounds(run, object, family, &field.roots, span)?;
        self.defined_or_fork(run, field.undefined, object, others, dst)?;
        Ok(Value::Int(match field.now {
            Flag::Truth(rel) => IntValue::Truth(self.holds_of(run, rel, object)),
            Flag::Data(fun) => {
                let ([var, _], [any, _]) = self.pair();
                let term = self.arena.app(fun, &[any]);
                let term = self.arena.expand_term(term, &run.now);
                IntValue::Data(self.arena.subst_term(term, &Subst::single(var, object)))
            }
        }))
    }

    /// Assumes that a cell was written; where not, the variable gets no value in another run.
    fn defined_or_fork(
        &mut self,
        run: &mut Run,
        undefined: RelId,
        object: TermId,
        others: &mut Vec<Run>,
        dst: Reg,
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
        let mut other = run.clone();
        if self.assume_now(&mut other, atom).is_ok()
            && let Some(&unset) = self.symbols.unset.get(&dst)
        {
            other.now.define_rel(unset, &[], FormulaId::TRUE);
            others.push(other);
        }
        let defined = self.arena.not(atom);
        self.assume_now(run, defined)
    }

    /// What a pointer field of an object holds now.
    fn successor(&mut self, run: &mut Run, closure: RelId, object: TermId) -> TermId {
        if let Some(&known) = run.known.get(&(closure, object)) {
            return known;
        }
        let found = self.choose_object(run);
        let edge = self.of_now(run, [object, found], |arena, logic, [x, y]| {
            theory::successor(arena, logic, closure, x, y)
        });
        run.guards.push(edge);
        run.known.insert((closure, object), found);
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
            return Err(Unsupported::at(span, e.reason).into());
        }
        let cell = trellis_program::view::Cell { family, at: position, kind: kind(scalar, span)? };
        if let Some(i) = self.symbols.pointer_field(cell) {
            let field = self.symbols.pointers[i].clone();
            self.in_bounds(run, object, family, &field.roots, span)?;
            return self.store_pointer(run, i, object, value, span);
        }
        let Some(i) = self.symbols.integer_field(cell) else {
            return Err(Unsupported::at(span, "a field that the logic does not have").into());
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
                if let trellis_program::view::Kind::Ptr(wanted) = field.kind
                    && self.view().meet(wanted, spot).is_none()
                {
                    let reason = "a pointer to another place of its object";
                    return Err(Unsupported::at(span, reason).into());
                }
                term
            }
            Value::Int(IntValue::Const(0)) => self.null(),
            Value::Undef => {
                self.mark_undefined(run, field.undefined, object, true);
                self.link(run, field.closure.now, object, None);
                return Ok(());
            }
            Value::Int(_) => {
                return Err(Unsupported::at(span, "an integer stored as a pointer").into());
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
        self.link(run, field.closure.now, object, Some(target));
        Ok(())
    }

    /// The closure after `object->f = target`; without a target, the cell leads nowhere.
    fn link(&mut self, run: &mut Run, closure: RelId, object: TermId, target: Option<TermId>) {
        let to = match target {
            Some(target) => target,
            None => self.null(),
        };
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

    fn pair(&mut self) -> ([trellis_logic::VarId; 2], [TermId; 2]) {
        let vars = ["$a", "$b"].map(|name| self.arena.variable(name, self.symbols.obj));
        (vars, vars.map(|v| self.arena.var_term(v)))
    }

    /// A unary relation changed at one object.
    fn change_at(&mut self, run: &mut Run, rel: RelId, object: TermId, value: FormulaId) {
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

    fn mark_undefined(&mut self, run: &mut Run, undefined: RelId, object: TermId, value: bool) {
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
                let term = self.data_or_any(run, value);
                self.change_data(run, fun, object, term);
            }
            _ => return Err(Unsupported::at(span, "a pointer stored as an integer").into()),
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

    /// A fresh object: not null, never allocated, and isolated.
    fn fresh(&mut self, run: &mut Run, ty: Option<TypeId>) -> TermId {
        let object = self.choose_object(run);
        let alloc = self.symbols.alloc;
        let fresh = self
            .of_now(run, [object], |arena, logic, [x]| theory::fresh(arena, logic, alloc.now, x));
        let before = self.arena.rel(alloc.entry, &[object]);
        let unknown = self.arena.not(before);
        run.guards.extend([fresh, unknown]);
        let mut named: Vec<TermId> = self.pointer_constants();
        named.extend(&run.named);
        for name in named {
            let differs = self.arena.ne(object, name);
            run.guards.push(differs);
        }
        run.named.push(object);
        let closures: Vec<RelId> =
            self.symbols.pointers.iter().flat_map(|f| [f.closure.now, f.closure.entry]).collect();
        for closure in closures {
            let (obj, null) = (self.symbols.obj, self.null());
            let isolated = self.of_now(run, [object, null], |arena, _, [x, n]| {
                isolated(arena, obj, closure, x, n)
            });
            if !run.guards.contains(&isolated) {
                run.guards.push(isolated);
            }
        }
        if let Some(&rel) = ty.and_then(|ty| self.symbols.types.get(&ty)) {
            let typed = self.arena.rel(rel, &[object]);
            run.guards.push(typed);
        }
        self.change_at(run, alloc.now, object, FormulaId::TRUE);
        object
    }

    /// All constants that denote objects in the state.
    fn pointer_constants(&mut self) -> Vec<TermId> {
        let live = self.live_pointers.clone();
        live.into_iter().map(|fun| self.arena.constant(fun)).collect()
    }

    pub(crate) fn allocate(
        &mut self,
        run: &mut Run,
        ty: Option<TypeId>,
        size: Value,
        zeroed: bool,
        span: Span,
    ) -> Step<Value> {
        let one = ty.and_then(|ty| self.program.types.size_of(ty));
        match size {
            Value::Int(IntValue::Const(n)) if one.is_none_or(|one| i64::from(one) == n) => {}
            _ => return Err(Unsupported::at(span, "an allocation of several objects").into()),
        }
        let object = self.fresh(run, ty);
        let spot = match ty {
            Some(ty) => {
                self.new_cells(run, ty, object, zeroed, span)?;
                self.view().object_spot(ty).unwrap_or(Spot::Start)
            }
            None if zeroed => {
                return Err(Unsupported::at(span, "zeroed memory without a type").into());
            }
            None => Spot::Start,
        };
        Ok(Value::Ptr(object, spot))
    }

    /// The cells of a new object of a type.
    fn new_cells(
        &mut self,
        run: &mut Run,
        ty: TypeId,
        object: TermId,
        zeroed: bool,
        span: Span,
    ) -> Step<()> {
        for i in 0..self.symbols.pointers.len() {
            let field = self.symbols.pointers[i].clone();
            if field.roots.contains(&ty) {
                // A fresh object leads nowhere, which is what null does.
                self.mark_undefined(run, field.undefined, object, !zeroed);
            }
        }
        for i in 0..self.symbols.integers.len() {
            let field = self.symbols.integers[i].clone();
            if !field.roots.contains(&ty) {
                continue;
            }
            match zeroed {
                true => {
                    let zero = Value::Int(IntValue::Const(0));
                    self.store_integer(run, i, object, zero, span)?;
                }
                false => self.mark_undefined(run, field.undefined, object, true),
            }
        }
        Ok(())
    }

    /// An untyped new object gets its type.
    pub(crate) fn retype(&mut self, run: &mut Run, ptr: &Expr, ty: TypeId, span: Span) -> Step<()> {
        let Value::Ptr(object, Spot::Start) = self.eval(run, ptr, span)? else { return Ok(()) };
        if !run.named.contains(&object) {
            return Err(Unsupported::at(span, "a pointer without a type").into());
        }
        if let Some(&rel) = self.symbols.types.get(&ty) {
            let typed = self.arena.rel(rel, &[object]);
            run.guards.push(typed);
        }
        self.new_cells(run, ty, object, false, span)
    }

    pub(crate) fn free(
        &mut self,
        run: &mut Run,
        ptr: Value,
        span: Span,
        others: &mut Vec<Run>,
    ) -> Step<()> {
        let (object, spot) = match ptr {
            Value::Ptr(object, spot) => (object, spot),
            Value::Int(IntValue::Const(0)) => return Ok(()),
            Value::Undef => return self.error(run, CheckKind::Uninit, span, FormulaId::TRUE),
            Value::Int(_) => return Err(Unsupported::at(span, "free of an integer").into()),
        };
        let null = self.null();
        let is_null = self.arena.eq(object, null);
        let mut other = run.clone();
        if self.assume_now(&mut other, is_null).is_ok() {
            others.push(other);
        }
        let not_null = self.arena.not(is_null);
        self.assume_now(run, not_null)?;
        if let Spot::At { family, at } = spot
            && self.view().family(family).any(|(_, position, _)| position != at)
        {
            let reason = "free of a pointer that may not be the start of its object";
            return Err(Unsupported::at(span, reason).into());
        }
        let variables: Vec<FunId> = self.symbols.addresses.values().map(|(fun, _)| *fun).collect();
        for fun in variables {
            let constant = self.arena.constant(fun);
            let constant = self.arena.expand_term(constant, &run.now);
            let variable = self.arena.eq(object, constant);
            self.error(run, CheckKind::InvalidFree, span, variable)?;
        }
        let allocated = self.holds_of(run, self.symbols.alloc.now, object);
        let gone = self.arena.not(allocated);
        self.error(run, CheckKind::DoubleFree, span, gone)?;
        self.kill(run, object);
        Ok(())
    }

    /// An object ceases to exist: it is not allocated and leads nowhere.
    fn kill(&mut self, run: &mut Run, object: TermId) {
        self.change_at(run, self.symbols.alloc.now, object, FormulaId::FALSE);
        for i in 0..self.symbols.pointers.len() {
            let closure = self.symbols.pointers[i].closure.now;
            self.link(run, closure, object, None);
        }
    }

    pub(crate) fn begin_local(&mut self, run: &mut Run, reg: Reg, span: Span) -> Step<()> {
        self.end_local(run, reg);
        let Some(&(fun, ty)) = self.symbols.addresses.get(&reg) else {
            return Err(Unsupported::at(span, "a variable in memory of unknown type").into());
        };
        let object = self.fresh(run, Some(ty));
        self.new_cells(run, ty, object, false, span)?;
        run.now.define_fun(fun, &[], object);
        run.locals.insert(reg, object);
        Ok(())
    }

    pub(crate) fn end_local(&mut self, run: &mut Run, reg: Reg) {
        if let Some(object) = run.locals.remove(&reg) {
            self.kill(run, object);
        }
    }

    /// The cells of a stretch of memory, as (distance from its start, cell).
    fn cells_within(&self, spot: Spot, size: Value, span: Span) -> Step<Vec<(i64, Scalar)>> {
        let (Spot::At { family, at }, Value::Int(IntValue::Const(size))) = (spot, size) else {
            return Err(Unsupported::at(span, "a block of memory of unknown size").into());
        };
        let fields = self
            .view()
            .fields()
            .filter(|(cell, _)| cell.family == family && cell.at >= at && cell.at < at + size);
        Ok(fields.map(|(cell, field)| (cell.at - at, field.scalar)).collect())
    }

    /// Copies a struct, cell by cell.
    pub(crate) fn copy(
        &mut self,
        run: &mut Run,
        dst: Value,
        src: Value,
        size: Value,
        span: Span,
    ) -> Step<()> {
        let (Value::Ptr(to, to_spot), Value::Ptr(from, from_spot)) = (dst, src) else {
            return Err(Unsupported::at(span, "a copy from or to an undefined place").into());
        };
        let cells = self.cells_within(from_spot, size, span)?;
        let mut values = Vec::new();
        for &(distance, scalar) in &cells {
            let at = self.shifted(from, from_spot, distance, span)?;
            values.push(self.load_or_undefined(run, at, scalar, span)?);
        }
        for (&(distance, scalar), value) in cells.iter().zip(values) {
            let at = self.shifted(to, to_spot, distance, span)?;
            self.store(run, at, scalar, value, span)?;
        }
        Ok(())
    }

    /// Copying an undefined cell is refused rather than followed.
    fn load_or_undefined(
        &mut self,
        run: &mut Run,
        at: Value,
        scalar: Scalar,
        span: Span,
    ) -> Step<Value> {
        let mut others = Vec::new();
        let nobody = Reg::Local(trellis_program::VarId(u32::MAX));
        let guards = run.guards.len();
        let value = self.load(run, at, scalar, span, &mut others, nobody)?;
        let undefined = run.guards[guards..].iter().any(|&g| self.may_be_undefined(g));
        if undefined {
            return Err(Unsupported::at(span, "a copy of memory that may be undefined").into());
        }
        Ok(value)
    }

    fn may_be_undefined(&self, guard: FormulaId) -> bool {
        let undefined: Vec<RelId> = self
            .symbols
            .pointers
            .iter()
            .map(|f| f.undefined)
            .chain(self.symbols.integers.iter().map(|f| f.undefined))
            .collect();
        mentions(&self.arena, guard, &undefined)
    }

    fn shifted(&self, object: TermId, spot: Spot, by: i64, span: Span) -> Step<Value> {
        match self.view().shift(spot, by) {
            Some(spot) => Ok(Value::Ptr(object, spot)),
            None => Err(Unsupported::at(span, "an offset into an object of unknown type").into()),
        }
    }

    /// `memset` with zero.
    pub(crate) fn fill(
        &mut self,
        run: &mut Run,
        dst: Value,
        byte: Value,
        size: Value,
        span: Span,
    ) -> Step<()> {
        let (Value::Ptr(object, spot), Value::Int(IntValue::Const(0))) = (dst, byte) else {
            return Err(Unsupported::at(span, "a block filled with something but zero").into());
        };
        for (distance, scalar) in self.cells_within(spot, size, span)? {
            let at = self.shifted(object, spot, distance, span)?;
            self.store(run, at, scalar, Value::Int(IntValue::Const(0)), span)?;
        }
        Ok(())
    }
}

/// Nothing but the object itself reaches it, and it reaches nothing but null.
fn isolated(
    arena: &mut Arena,
    obj: SortId,
    closure: RelId,
    object: TermId,
    null: TermId,
) -> FormulaId {
    let var = arena.variable("$a", obj);
    let any = arena.var_term(var);
    let (to, from) = (arena.rel(closure, &[any, object]), arena.rel(closure, &[object, any]));
    let (itself, end) = (arena.eq(any, object), arena.eq(any, null));
    let alone = arena.implies(to, itself);
    let ends = arena.or([itself, end]);
    let ends = arena.implies(from, ends);
    let body = arena.and([alone, ends]);
    arena.forall(&[var], body)
}

fn kind(scalar: Scalar, span: Span) -> Step<CellKind> {
    match scalar {
        Scalar::Ptr(_) => Ok(CellKind::Ptr),
        Scalar::Int(kind) => Ok(CellKind::Int(kind)),
        Scalar::Float(_) => Err(Unsupported::at(span, "a floating-point number").into()),
    }
}

fn mentions(arena: &trellis_logic::Arena, formula: FormulaId, rels: &[RelId]) -> bool {
    match arena.formula(formula) {
        Formula::Rel(rel, _) => rels.contains(rel),
        Formula::Not(a) | Formula::Quant(_, _, a) => mentions(arena, *a, rels),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|&p| mentions(arena, p, rels)),
        Formula::Implies(a, b) | Formula::Iff(a, b) => {
            mentions(arena, *a, rels) || mentions(arena, *b, rels)
        }
        _ => false,
    }
}
