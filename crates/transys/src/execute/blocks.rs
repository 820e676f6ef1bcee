//! Blocks of memory in a symbolic state: struct assignment, `memcpy`, `memset`.
//!
//! **Invariant.** A block is followed only if its size is a constant and its ends lie between
//! scalars in every object that it fits into. Its place is checked as that of any other access, also
//! where the logic has none of its cells. What has no symbol is never read, so it need not be copied.

use trellis_logic::{FormulaId, RelId, TermId};
use trellis_program::view::{Cell, CellKind, Spot};
use trellis_program::{CheckKind, Expr, IntKind, Refusal, Scalar, Span, TypeId};

use crate::execute::state::{IntValue, Run, Value};
use crate::execute::{Builder, Step, Stop};
use crate::symbols::Flag;

/// A block of memory in one object.
struct Stretch {
    object: TermId,
    family: usize,
    /// Its position in the family.
    at: i64,
    /// Its scalars, by their distance from its start.
    cells: Vec<(i64, Scalar)>,
}

/// The symbol of a scalar.
enum Field {
    Pointer(usize),
    Integer(usize),
}

impl Builder<'_> {
    /// Where a block begins. A variable that may point to different places has no symbol; what it
    /// holds is known on the path that set it. Loads and stores are not made through it, since their
    /// cells must be known before any path is.
    pub(crate) fn place(&mut self, run: &mut Run, e: &Expr, span: Span) -> Step<Value> {
        match e {
            Expr::Reg(reg) if run.moved.contains_key(reg) => Ok(run.moved[reg]),
            _ => self.address(run, e, span),
        }
    }

    /// Checks a block as an access, and finds its scalars.
    fn stretch(&mut self, run: &mut Run, at: Value, size: Value, span: Span) -> Step<Stretch> {
        let refuse = |reason: &str| Err(Refusal::at(span, reason).into());
        let size = match size {
            Value::Int(IntValue::Const(size)) if size >= 0 => size,
            Value::Int(IntValue::Const(_)) => return refuse("a block of memory of a huge size"),
            _ => return refuse("a block of memory whose size is not a constant"),
        };
        let (object, family, at) = self.access(run, at, span)?;
        self.all_seen(Spot::At { family, at }, Some(size), span)?;
        let inside = |(ty, position, bytes): (TypeId, i64, u32)| {
            let start = at - position;
            let end = start.checked_add(size)?;
            (start >= 0 && end <= i64::from(bytes)).then_some((ty, start))
        };
        let fitting: Vec<(TypeId, i64)> = self.view().family(family).filter_map(inside).collect();
        if fitting.is_empty() {
            self.error(run, CheckKind::Bounds, span, FormulaId::TRUE)?;
            return Err(Stop::End);
        }
        let types: Vec<TypeId> = fitting.iter().map(|(ty, _)| *ty).collect();
        self.in_bounds(run, object, family, &types, span)?;
        let mut cells: Option<Vec<(i64, Scalar)>> = None;
        for (ty, start) in fitting {
            let here = self.scalars(ty, start, size, span)?;
            match &cells {
                Some(cells) if !same_layout(cells, &here) => {
                    return refuse("a block of memory of several layouts");
                }
                _ => cells = Some(here),
            }
        }
        Ok(Stretch { object, family, at, cells: cells.unwrap_or_default() })
    }

    /// The scalars of a block in objects of a type.
    fn scalars(&self, ty: TypeId, start: i64, size: i64, span: Span) -> Step<Vec<(i64, Scalar)>> {
        let Some(layout) = self.program.types.layout(ty) else {
            return Err(Refusal::at(span, "a block of memory of unknown layout").into());
        };
        let mut out = Vec::new();
        for cell in &layout.cells {
            let (from, to) = (i64::from(cell.offset), i64::from(cell.end()));
            if to <= start || from >= start + size {
                continue;
            }
            if from < start || to > start + size {
                return Err(Refusal::at(span, "access to a part of a scalar").into());
            }
            out.push((from - start, cell.scalar));
        }
        Ok(out)
    }

    /// The symbol of a scalar of a block.
    fn field_in(&self, block: &Stretch, distance: i64, scalar: Scalar) -> Option<Field> {
        let kind = match scalar {
            Scalar::Ptr(_) => CellKind::Ptr,
            Scalar::Int(kind) => CellKind::Int(kind),
            Scalar::Float(_) | Scalar::Bits(_) => return None,
        };
        let cell = Cell { family: block.family, at: block.at + distance, kind };
        let pointer = self.symbols.pointer_field(cell).map(Field::Pointer);
        pointer.or_else(|| self.symbols.integer_field(cell).map(Field::Integer))
    }

    /// Copies a block, scalar by scalar; what was never written stays so.
    pub(crate) fn copy(
        &mut self,
        run: &mut Run,
        dst: Value,
        src: Value,
        size: Value,
        span: Span,
    ) -> Step<()> {
        let source = self.stretch(run, src, size, span)?;
        let target = self.stretch(run, dst, size, span)?;
        if !same_layout(&source.cells, &target.cells) {
            let reason = "a copy between objects of different layout";
            return Err(Refusal::at(span, reason).into());
        }
        let apart = (source.at - target.at).abs();
        if source.family == target.family
            && apart != 0
            && matches!(size, Value::Int(IntValue::Const(n)) if apart < n)
        {
            let reason = "a copy between places that may overlap";
            return Err(Refusal::at(span, reason).into());
        }
        let mut copied = Vec::new();
        for &(distance, scalar) in &source.cells {
            let Some(to) = self.field_in(&target, distance, scalar) else { continue };
            let Some(from) = self.field_in(&source, distance, scalar) else {
                let reason = "a copy of a field that the logic does not have";
                return Err(Refusal::at(span, reason).into());
            };
            let (value, undefined) = self.read_field(run, from, source.object, span)?;
            copied.push((to, value, undefined));
        }
        for (to, value, undefined) in copied {
            let mark = self.write_field(run, to, target.object, value, span)?;
            if undefined != FormulaId::FALSE {
                self.change_at(run, mark, target.object, undefined);
            }
        }
        Ok(())
    }

    /// What a field of an object holds, and when it was never written.
    fn read_field(
        &mut self,
        run: &mut Run,
        field: Field,
        object: TermId,
        span: Span,
    ) -> Step<(Value, FormulaId)> {
        match field {
            Field::Pointer(i) => {
                let field = self.symbols.pointers[i].clone();
                let undefined = self.holds_of(run, field.undefined, object);
                let trellis_program::view::Kind::Ptr(spot) = field.kind else {
                    return Err(Refusal::at(span, "a field of changing kind").into());
                };
                // What was never written leads nowhere, as null does.
                Ok((Value::Ptr(self.successor(run, i, object), spot), undefined))
            }
            Field::Integer(i) => {
                let field = self.symbols.integers[i].clone();
                let undefined = self.holds_of(run, field.undefined, object);
                let value = match field.now {
                    Flag::Truth(rel) => IntValue::Truth(self.holds_of(run, rel, object)),
                    Flag::Data(fun) => IntValue::Data(self.data_of(run, fun, object)),
                };
                Ok((Value::Int(value), undefined))
            }
        }
    }

    /// Writes a field; gives the relation that says where it was never written.
    fn write_field(
        &mut self,
        run: &mut Run,
        field: Field,
        object: TermId,
        value: Value,
        span: Span,
    ) -> Step<RelId> {
        match field {
            Field::Pointer(i) => {
                self.store_pointer(run, i, object, value, span)?;
                Ok(self.symbols.pointers[i].undefined)
            }
            Field::Integer(i) => {
                self.store_integer(run, i, object, value, span)?;
                Ok(self.symbols.integers[i].undefined)
            }
        }
    }

    /// `memset` with a constant.
    pub(crate) fn fill(
        &mut self,
        run: &mut Run,
        dst: Value,
        byte: Value,
        size: Value,
        span: Span,
    ) -> Step<()> {
        let Value::Int(IntValue::Const(byte)) = byte else {
            return Err(Refusal::at(span, "a block filled with something but a constant").into());
        };
        let byte = byte as u8;
        // Memory that has no type yet is zeroed as a whole.
        if let (Value::Ptr(object, Spot::Start), Value::Int(IntValue::Const(size))) = (dst, size)
            && let Some(memory) = run.untyped.get_mut(&object)
            && memory.size == size
            && byte == 0
        {
            memory.zeroed = true;
            return Ok(());
        }
        let block = self.stretch(run, dst, size, span)?;
        for (distance, scalar) in block.cells.clone() {
            let Some(field) = self.field_in(&block, distance, scalar) else { continue };
            let value = match scalar {
                Scalar::Int(kind) if kind != IntKind::BOOL || byte == 0 => {
                    let bits = u64::from(byte) * 0x0101_0101_0101_0101;
                    kind.wrap(i128::from(bits))
                }
                Scalar::Ptr(_) if byte == 0 => 0,
                Scalar::Int(_) | Scalar::Ptr(_) | Scalar::Float(_) | Scalar::Bits(_) => {
                    let reason = "a pointer or truth value filled with something but zero";
                    return Err(Refusal::at(span, reason).into());
                }
            };
            let value = Value::Int(IntValue::Const(value));
            self.write_field(run, field, block.object, value, span)?;
        }
        Ok(())
    }
}

/// Whether two blocks have the same scalars at the same distances; where pointers lead to is seen
/// when they are stored.
fn same_layout(a: &[(i64, Scalar)], b: &[(i64, Scalar)]) -> bool {
    let same = |(a, b): (&(i64, Scalar), &(i64, Scalar))| {
        a.0 == b.0 && (a.1 == b.1 || (a.1.is_ptr() && b.1.is_ptr()))
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}
