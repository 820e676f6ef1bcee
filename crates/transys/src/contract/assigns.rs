//! Writes that an `assigns` clause does not allow.
//!
//! The state at a return is compared with the one at the entry, as the concrete interpreter does: a
//! cell of an object that was allocated then and still is, holds another value and is not listed
//! by an item of the clause was written against the contract. Items are about the entry.
//!
//! **Invariants.** Every cell that the code can write has a symbol for its exact value, now and at
//! the entry. What is bad is an ∃*∀* formula: an item whose places need more is refused.

use trellis_logic::{Formula as LogicFormula, FormulaId, Quantifier, Subst, TermId};
use trellis_program::spec::{Assigns, AssignsItem, Binder, BoundId, Formula, Sort, Term};
use trellis_program::view::{self, Cell, CellKind, Spot};
use trellis_program::{CheckKind, CmpOp, ProcId, Program, Refusal, Reg, Scalar, Span, TypeId};

use crate::contract::at_entry;
use crate::contract::relational::Mode;
use crate::execute::state::Run;
use crate::execute::{Builder, Step};
use crate::symbols::{DataField, Flag, RegSymbol};
use crate::system::Options;
use crate::theory::FieldAt;

/// The name of the variable that stands for the object of an item.
const PLACE: &str = "$place";

/// The places of an item that is no global in a register.
struct Places {
    /// That some object, [`PLACE`], has a place of the item.
    formula: Formula,
    /// Whether there are variables besides that object.
    several: bool,
    /// The type that the item's pointer points to.
    ty: TypeId,
    /// Bytes from there to the place.
    offset: i64,
}

/// Cells of some objects that may be written.
struct Assignable {
    family: usize,
    from: i64,
    to: i64,
    /// For which objects, in terms of a variable called [`PLACE`].
    objects: FormulaId,
}

/// The clause's items, if they are to be checked.
pub(crate) fn checked<'a>(
    program: &'a Program,
    proc: ProcId,
    options: &Options,
) -> Option<(&'a [AssignsItem], Span)> {
    match &program.proc(proc).contract.assigns {
        Assigns::Places(items, at) if options.checks.contains(CheckKind::Assigns) => {
            Some((items, *at))
        }
        _ => None,
    }
}

/// The formulas that say where the items are, with their places in the source.
pub(crate) fn formulas(
    program: &Program,
    proc: ProcId,
    options: &Options,
) -> Result<Vec<(Formula, Span)>, Refusal> {
    let items = checked(program, proc, options).map_or(&[][..], |(items, _)| items);
    let memory = items.iter().filter(|i| i.global.is_none() && in_global(i).is_none());
    memory.map(|i| Ok((places(program, proc, i)?.formula, i.span))).collect()
}

/// The pointer of an item, and the bytes from there to the place.
fn base(item: &AssignsItem) -> (&Term, i64) {
    let (mut base, mut offset) = (&item.addr, 0);
    while let Term::Offset(inner, by) = base {
        (base, offset) = (&**inner, offset + by);
    }
    (base, offset)
}

/// The global in memory that an item is a part of.
fn in_global(item: &AssignsItem) -> Option<Reg> {
    match base(item).0 {
        Term::Addr(reg @ Reg::Global(_)) if item.binders.is_empty() => Some(*reg),
        _ => None,
    }
}

fn places(program: &Program, proc: ProcId, item: &AssignsItem) -> Result<Places, Refusal> {
    let (base, offset) = base(item);
    let Some(ty) = pointee(program, proc, item, base) else {
        return Err(Refusal::at(item.span, "a place of this form in an assigns clause"));
    };
    let filter = item.filter.clone().unwrap_or(Formula::Const(true));
    let (id, inner, binders) = match base {
        // The object is one of the item's own variables.
        Term::Bound(id) if item.binders.iter().any(|b| b.id == *id) => {
            let others = item.binders.iter().filter(|b| b.id != *id).cloned().collect();
            (*id, filter, others)
        }
        _ => {
            let id = BoundId(u32::MAX);
            let here = Formula::Cmp(CmpOp::Eq, base.clone(), Term::Bound(id));
            (id, Formula::And(vec![filter, here]), item.binders.clone())
        }
    };
    let several = !binders.is_empty();
    let inner = if several { Formula::Exists(binders, Box::new(inner)) } else { inner };
    let place = Binder { id, name: PLACE.into(), sort: Sort::Ptr(ty) };
    let formula = at_entry(&Formula::Exists(vec![place], Box::new(inner)));
    Ok(Places { formula, several, ty, offset })
}

/// What the pointer of an item points to.
fn pointee(program: &Program, proc: ProcId, item: &AssignsItem, base: &Term) -> Option<TypeId> {
    match base {
        Term::Reg(reg) => match program.types.scalar(program.reg_type(proc, *reg)) {
            Some(Scalar::Ptr(to)) => Some(to),
            _ => None,
        },
        Term::Load { scalar: Scalar::Ptr(to), .. } => Some(*to),
        Term::Bound(id) => match item.binders.iter().find(|b| b.id == *id)?.sort {
            Sort::Ptr(to) => Some(to),
            _ => None,
        },
        Term::At(_, inner) => pointee(program, proc, item, inner),
        _ => None,
    }
}

impl Builder<'_> {
    /// That something is written which the items do not list, in terms of the path's beginning.
    pub(crate) fn written_outside(&mut self, run: &Run, items: &[AssignsItem]) -> Step<FormulaId> {
        let mut listed = Vec::new();
        for item in items.iter().filter(|i| i.global.is_none()) {
            listed.push(self.assignable(run, item)?);
        }
        let var = self.arena.variable("$written", self.symbols.obj);
        let x = self.arena.var_term(var);
        let mut cells = Vec::new();
        for i in 0..self.symbols.pointers.len() {
            if !self.symbols.pointers[i].stored {
                continue;
            }
            let changed = self.pointer_changed(run, i, x);
            cells.push(self.not_assignable(&listed, self.symbols.pointers[i].cell, x, changed));
        }
        for field in self.symbols.integers.clone().iter().filter(|f| f.changes) {
            let changed = self.integer_changed(run, field, x);
            cells.push(self.not_assignable(&listed, field.cell, x, changed));
        }
        let cell = self.arena.or(cells);
        let before = self.arena.rel(self.symbols.alloc.entry, &[x]);
        let now = self.holds_of(run, self.symbols.alloc.now, x);
        let body = self.arena.and([before, now, cell]);
        let mut bad = vec![self.arena.exists(&[var], body)];
        for (reg, twin) in self.symbols.regs.clone() {
            let listed = items.iter().any(|i| i.global == Some(reg));
            if matches!(reg, Reg::Global(_)) && !listed && twin.now != twin.entry {
                bad.push(self.global_differs(run, twin.entry, twin.now));
            }
        }
        Ok(self.arena.or(bad))
    }

    /// That a pointer of an object holds something else than at the entry, or nothing.
    fn pointer_changed(&mut self, run: &Run, field: usize, x: TermId) -> FormulaId {
        let end = self.arena.variable("$value", self.symbols.obj);
        let y = self.arena.var_term(end);
        let before = self.heap().load(FieldAt::entry(field), x, y);
        let now = FieldAt::now(field);
        let after = self.of_now(run, [x, y], |heap, [x, y]| heap.load(now, x, y));
        let other = self.arena.not(after);
        let moved = self.arena.and([before, other]);
        let moved = self.arena.exists(&[end], moved);
        let lost = self.holds_of(run, self.symbols.pointers[field].undefined, x);
        self.arena.or([moved, lost])
    }

    fn integer_changed(&mut self, run: &Run, field: &DataField, x: TermId) -> FormulaId {
        let other = match (field.entry, field.now) {
            (Flag::Data(before), Flag::Data(after)) => {
                let before = self.arena.app(before, &[x]);
                // The entry's value is no part of the current state, so it is not expanded.
                let after = self.data_of(run, after, x);
                self.arena.ne(before, after)
            }
            // Values that differ may have the same truth, so nothing is known.
            _ => FormulaId::TRUE,
        };
        let lost = self.holds_of(run, field.undefined, x);
        self.arena.or([other, lost])
    }

    fn global_differs(&mut self, run: &Run, entry: RegSymbol, now: RegSymbol) -> FormulaId {
        match (entry, now) {
            (RegSymbol::Ptr(before), RegSymbol::Ptr(after))
            | (RegSymbol::Int(Flag::Data(before)), RegSymbol::Int(Flag::Data(after))) => {
                let (before, after) = (self.arena.constant(before), self.arena.constant(after));
                let after = self.arena.expand_term(after, &run.now);
                self.arena.ne(before, after)
            }
            _ => FormulaId::TRUE,
        }
    }

    /// That a cell is changed, and no item lists it.
    fn not_assignable(
        &mut self,
        assignable: &[Assignable],
        cell: Cell,
        x: TermId,
        changed: FormulaId,
    ) -> FormulaId {
        let bytes = match cell.kind {
            CellKind::Ptr => self.program.types.model().pointer_bytes(),
            CellKind::Int(kind) => kind.bytes(),
        };
        let end = cell.at + i64::from(bytes);
        let place = self.arena.variable(PLACE, self.symbols.obj);
        let mut parts = vec![changed];
        for item in assignable {
            if item.family == cell.family && item.from <= cell.at && end <= item.to {
                let inside = self.arena.subst(item.objects, &Subst::single(place, x));
                parts.push(self.arena.not(inside));
            }
        }
        self.arena.and(parts)
    }

    fn assignable(&mut self, run: &Run, item: &AssignsItem) -> Step<Assignable> {
        let refuse = |reason: String| Refusal::at(item.span, reason);
        if let Some(reg) = in_global(item) {
            let known = self.symbols.addresses.get(&reg).copied();
            let spot = known.and_then(|(_, ty)| self.view().object_spot(ty));
            let (Some((fun, _)), Some(Spot::At { family, at })) = (known, spot) else {
                return Err(refuse("a global that the logic does not have".into()).into());
            };
            let place = self.arena.variable(PLACE, self.symbols.obj);
            let (place, address) = (self.arena.var_term(place), self.arena.constant(fun));
            let objects = self.arena.eq(place, address);
            let from = at + base(item).1;
            return Ok(Assignable { family, from, to: from + i64::from(item.bytes), objects });
        }
        let places = places(self.program, self.view().proc, item)?;
        let vocabulary = self.symbols.view.clone();
        let Spot::At { family, at } =
            vocabulary.pointee(places.ty).map_err(|e| refuse(e.reason))?
        else {
            return Err(refuse("a place of unknown type in an assigns clause".into()).into());
        };
        let formula = view::formula(&vocabulary, &mut self.view_arena, &places.formula)
            .map_err(|e| refuse(e.reason))?;
        // Fields of a single object have values, so these can be named by either quantifier; under
        // other variables of a set it must be the one that becomes ∀ when it is negated.
        let mode = if places.several { Mode::Assume } else { Mode::Check };
        let some = self.relational(mode).holds(formula).map_err(refuse)?;
        let place = self.arena.variable(PLACE, self.symbols.obj);
        let objects = match self.arena.formula(some).clone() {
            LogicFormula::Quant(Quantifier::Exists, vars, body) if vars.contains(&place) => {
                if places.several && !self.arena.is_quantifier_free(body) {
                    let reason = "a set of places whose filter has quantifiers";
                    return Err(refuse(reason.into()).into());
                }
                let others: Vec<_> = vars.iter().copied().filter(|v| *v != place).collect();
                self.arena.exists(&others, body)
            }
            // No object is told from others.
            _ => some,
        };
        let objects = self.arena.expand(objects, &run.now);
        let from = at + places.offset;
        Ok(Assignable { family, from, to: from + i64::from(item.bytes), objects })
    }
}
