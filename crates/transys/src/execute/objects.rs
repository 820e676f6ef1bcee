//! Objects in a symbolic state: allocation, free, variables in memory.
//!
//! **Invariant.** A fresh object is one that was never allocated and that nothing points to; so it
//! differs from everything that the state can name. What ceases to exist leads nowhere.

use trellis_logic::{FormulaId, FunId, TermId};
use trellis_program::view::Spot;
use trellis_program::{CheckKind, Expr, Refusal, Reg, Scalar, Span, TypeId};
use trellis_solver::theory;

use crate::contract::assigns;
use crate::execute::state::{IntValue, Run, Untyped, Value};
use crate::execute::{Builder, Step};
use crate::theory::FieldAt;

impl Builder<'_> {
    /// A fresh object: not null, never allocated, and isolated.
    fn fresh(&mut self, run: &mut Run, ty: Option<TypeId>) -> TermId {
        let object = self.choose_object(run);
        let alloc = self.symbols.alloc;
        let fresh = self.of_now(run, [object], |heap, [x]| {
            theory::fresh(heap.arena, heap.vocabulary, alloc.now, x)
        });
        let before = self.arena.rel(alloc.entry, &[object]);
        let unknown = self.arena.not(before);
        run.guards.extend([fresh, unknown]);
        let mut named: Vec<TermId> = self.pointer_constants();
        named.extend(&run.named);
        if self.symbols.pointers.iter().any(|f| f.set.is_some()) {
            // And from all that was found on the way, which is written nowhere else.
            let found = self.witnesses.objects[..run.used.objects - 1].to_vec();
            named.extend(found.into_iter().map(|fun| self.arena.constant(fun)));
            named.sort_unstable();
            named.dedup();
        }
        for name in named {
            let differs = self.arena.ne(object, name);
            run.guards.push(differs);
        }
        run.named.push(object);
        for i in 0..self.symbols.pointers.len() {
            for at in [FieldAt::now(i), FieldAt::entry(i)] {
                let isolated = self.of_now(run, [object], |heap, [x]| heap.isolated(at, x));
                if !run.guards.contains(&isolated) {
                    run.guards.push(isolated);
                }
            }
        }
        self.without_edges(run, object);
        if let Some(ty) = ty {
            self.has_type(run, object, ty);
        }
        self.change_at(run, alloc.now, object, FormulaId::TRUE);
        object
    }

    /// A fresh object is of a type.
    fn has_type(&mut self, run: &mut Run, object: TermId, ty: TypeId) {
        run.typed.insert(object, ty);
        if let Some(&rel) = self.symbols.types.get(&ty) {
            let typed = self.arena.rel(rel, &[object]);
            run.guards.push(typed);
        }
    }

    /// All constants that denote objects in the state.
    pub(super) fn pointer_constants(&mut self) -> Vec<TermId> {
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
        let size = match size {
            Value::Int(IntValue::Const(n)) if one.is_none_or(|one| i64::from(one) == n) => n,
            Value::Int(IntValue::Const(_)) => {
                return Err(Refusal::at(span, "an allocation of several objects").into());
            }
            _ => {
                let reason = "an allocation whose size is not a constant";
                return Err(Refusal::at(span, reason).into());
            }
        };
        let object = self.fresh(run, ty);
        let spot = match ty {
            Some(ty) => {
                self.new_cells(run, ty, object, zeroed, span)?;
                self.view().object_spot(ty).unwrap_or(Spot::Start)
            }
            None => {
                run.untyped.insert(object, Untyped { size, zeroed, awaited: None });
                Spot::Start
            }
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

    /// An untyped new object gets its type. One that has a type keeps it, and whether it fits is
    /// seen where the pointer is used.
    pub(crate) fn retype(&mut self, run: &mut Run, ptr: &Expr, ty: TypeId, span: Span) -> Step<()> {
        let (object, spot) = match self.eval(run, ptr, span)? {
            Value::Ptr(object, spot) => (object, spot),
            Value::Int(_) | Value::Undef => return Ok(()),
        };
        if object == self.null() || run.typed.contains_key(&object) {
            return Ok(());
        }
        let Some(Untyped { size, zeroed, .. }) = run.untyped.remove(&object) else {
            return match spot {
                Spot::Null | Spot::At { .. } => Ok(()),
                Spot::Start => Err(Refusal::at(span, "a pointer without a type").into()),
            };
        };
        if let Spot::At { family, .. } = spot
            && self.view().family(family).all(|(t, _, _)| t != ty)
        {
            let reason = "memory without a type used as two types";
            return Err(Refusal::at(span, reason).into());
        }
        if self.program.types.size_of(ty).map(i64::from) != Some(size) {
            let name = self.program.types.name(ty);
            let reason = format!("memory of {size} bytes used as `{name}`");
            return Err(Refusal::at(span, reason).into());
        }
        self.has_type(run, object, ty);
        self.new_cells(run, ty, object, zeroed, span)
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
            Value::Int(_) => return Err(Refusal::at(span, "free of an integer").into()),
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
            return Err(Refusal::at(span, reason).into());
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
        self.all_seen(spot, None, span)?;
        self.kill(run, object);
        Ok(())
    }

    /// Refuses to change objects whole where the logic does not have all of their cells: what a
    /// pointer without a symbol leads to could be leaked, and an `assigns` clause is about every
    /// cell that is overwritten (`size` bytes; nothing is when an object is freed).
    pub(crate) fn all_seen(&self, spot: Spot, size: Option<i64>, span: Span) -> Step<()> {
        let leaks = self.options.checks.contains(CheckKind::Leak);
        let compares = size.is_some()
            && assigns::checked(self.program, self.view().proc, self.options).is_some();
        let types: Vec<(TypeId, i64)> = match spot {
            Spot::Null => Vec::new(),
            Spot::At { family, at } => {
                self.view().family(family).map(|(ty, position, _)| (ty, at - position)).collect()
            }
            Spot::Start if leaks && self.pointers_without_a_type() => {
                let reason = "memory without a type, which may hold pointers that would be lost";
                return Err(Refusal::at(span, reason).into());
            }
            Spot::Start => self.view().object_types().map(|ty| (ty, 0)).collect(),
        };
        for (ty, start) in types {
            let cells = self.program.types.layout(ty).map_or(&[][..], |l| &l.cells);
            let inside = |offset: u32| match size {
                Some(size) => (start..start + size).contains(&i64::from(offset)),
                None => true,
            };
            for cell in cells.iter().filter(|c| inside(c.offset)) {
                let matters = compares || (leaks && matches!(cell.scalar, Scalar::Ptr(_)));
                if matters && !self.symbols.has_cell(ty, cell) {
                    let name = self.program.types.name(ty);
                    let reason =
                        format!("`{}` of `{name}`, which the logic does not have", cell.path);
                    return Err(Refusal::at(span, reason).into());
                }
            }
        }
        Ok(())
    }

    /// An object ceases to exist: it is not allocated and leads nowhere.
    fn kill(&mut self, run: &mut Run, object: TermId) {
        self.change_at(run, self.symbols.alloc.now, object, FormulaId::FALSE);
        for i in 0..self.symbols.pointers.len() {
            match self.is_child_field(i) {
                true if self.symbols.fields().set_of(i).first() == Some(&i) => {
                    self.lose_children(run, i, object);
                }
                true => {}
                false => self.link(run, i, object, None),
            }
        }
    }

    pub(crate) fn begin_local(&mut self, run: &mut Run, reg: Reg, span: Span) -> Step<()> {
        self.end_local(run, reg);
        let Some(&(fun, ty)) = self.symbols.addresses.get(&reg) else {
            return Err(Refusal::at(span, "a variable in memory of unknown type").into());
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
}
