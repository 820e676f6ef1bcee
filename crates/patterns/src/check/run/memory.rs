//! Memory in a run: what the pattern leaves open is asked for before it is read, overwritten or
//! lost.

use trellis_program::concrete::{ObjId, State, Value};
use trellis_program::ir::Expr;
use trellis_program::{CheckKind, Refusal, Scalar, Span};

use super::{End, Exec, Need, Operand, Run};
use crate::machine::{cell_index, field};

impl Run<'_> {
    /// The object and offset of an access that the machine can make.
    pub(super) fn place(&self, addr: &Expr, scalar: Scalar) -> Option<(ObjId, u32)> {
        let value = trellis_program::concrete::eval::eval(&self.partial.state, addr, false).ok()?;
        self.partial.state.memory.access(value, self.checker.program.types.bytes(scalar)).ok()
    }

    /// The live object that a pointer leads to.
    pub(super) fn object(&self, pointer: &Expr) -> Option<ObjId> {
        self.place(pointer, Scalar::Int(trellis_program::IntKind::CHAR)).map(|(id, _)| id)
    }

    /// Asks for a field that the pattern leaves open; the symbol in it, if it is an integer that is
    /// not known.
    pub(super) fn resolve(
        &mut self,
        id: ObjId,
        offset: u32,
        scalar: Scalar,
    ) -> Result<Option<usize>, End> {
        let program = self.checker.program;
        let state: &State = &self.partial.state;
        if field(program, state, id, offset) != Value::Open {
            return Ok(None);
        }
        let cell = cell_index(program, state, id, offset);
        if let Some(symbol) = cell.and_then(|c| self.partial.symbols.cells.get(&c).copied()) {
            // Orders of its data against others are values of a colour.
            if let Some(n) = self.partial.nodes.get(&id)
                && self.before.nodes[*n].colours.len() > 1
            {
                return Err(Need::Colour(*n).into());
            }
            return Ok(self.evaluation().define(symbol).then_some(symbol));
        }
        let Some(node) = self.partial.nodes.get(&id).copied() else {
            return Err(Refusal::at(self.span(), "a field that is not known").into());
        };
        let record = &self.checker.code.words.records[self.before.nodes[node].record];
        match (scalar, record.pointer_at(i64::from(offset))) {
            (Scalar::Ptr(_), Some(f)) => Err(Need::Field(node, f).into()),
            _ => Err(Need::Colour(node).into()),
        }
    }

    /// Asks for all pointer fields of an object that are open, and for its data if wanted.
    pub(super) fn resolve_all(&mut self, id: ObjId, data: bool) -> Exec {
        let Some(node) = self.partial.nodes.get(&id).copied() else { return Ok(()) };
        let record = &self.checker.code.words.records[self.before.nodes[node].record];
        for (f, of) in record.pointers.iter().enumerate() {
            if field(self.checker.program, &self.partial.state, id, of.offset) == Value::Open {
                return Err(Need::Field(node, f).into());
            }
        }
        match data && self.before.nodes[node].colours.len() > 1 {
            true => Err(Need::Colour(node).into()),
            false => Ok(()),
        }
    }

    /// All fields of an object are being written with known values.
    pub(super) fn touch(&mut self, id: ObjId) {
        let object = *self.partial.state.memory.object(id);
        for cell in object.start as usize..(object.start + object.cells) as usize {
            self.partial.written.insert(cell);
            self.partial.symbols.cells.remove(&cell);
        }
    }

    pub(super) fn store(&mut self, addr: &Expr, scalar: Scalar, value: &Expr, span: Span) -> Exec {
        let place = self.place(addr, scalar);
        if let (Some((id, offset)), Scalar::Ptr(_)) = (place, scalar) {
            // What the field led to may be lost.
            self.resolve(id, offset, scalar)?;
        }
        let operand = self.open_value(value, span)?;
        match operand {
            // Overflow and the like have been looked at; what is stored is put right below.
            Some(_) => self.quiet_store(addr, scalar, span)?,
            None => self.machine_step(span)?,
        }
        let Some((id, offset)) = place else { return Ok(()) };
        let Some(cell) = cell_index(self.checker.program, &self.partial.state, id, offset) else {
            return Ok(());
        };
        self.partial.written.insert(cell);
        self.partial.symbols.cells.remove(&cell);
        match operand {
            Some(Operand::Symbol(s)) => {
                self.partial.state.memory.cells[cell] = Value::Open;
                self.partial.symbols.cells.insert(cell, s);
            }
            Some(Operand::Value(v)) => self.partial.state.memory.cells[cell] = v,
            None => {}
        }
        Ok(())
    }

    /// A store of an integer that is not known: the place is judged as the machine does it.
    fn quiet_store(&mut self, addr: &Expr, scalar: Scalar, span: Span) -> Exec {
        use trellis_program::concrete::eval::eval;
        use trellis_program::concrete::memory::Fault;
        let types = &self.checker.program.types;
        let at = eval(&self.partial.state, addr, false);
        let at = at.map_err(|_| End::from(Refusal::at(span, "an address that is not known")))?;
        let stored = self.partial.state.memory.store(types, at, scalar, Value::Undef);
        let kind = match stored {
            Ok(()) => {
                self.skip();
                return Ok(());
            }
            Err(Fault::Null) => CheckKind::NullDeref,
            Err(Fault::Undef) => CheckKind::Uninit,
            Err(Fault::Dead(_)) => CheckKind::UseAfterFree,
            Err(Fault::Bounds(_) | Fault::Nowhere) => CheckKind::Bounds,
            Err(Fault::Overlap(_)) => CheckKind::Overlap,
            Err(Fault::Unsupported(reason)) => return Err(Refusal::at(span, reason).into()),
        };
        Err(self.fails(kind, span))
    }

    pub(super) fn copy(&mut self, dst: &Expr, src: &Expr, span: Span) -> Exec {
        let (to, from) = (self.object(dst), self.object(src));
        if let Some(id) = to {
            self.resolve_all(id, false)?;
        }
        if let Some(id) = from {
            self.resolve_all(id, true)?;
        }
        self.machine_step(span)?;
        let (Some(to), Some(from)) = (to, from) else { return Ok(()) };
        if to == from {
            return Ok(());
        }
        self.touch(to);
        let memory = &self.partial.state.memory;
        let (to, from) = (*memory.object(to), *memory.object(from));
        for i in 0..to.cells.min(from.cells) {
            let symbol = self.partial.symbols.cells.get(&((from.start + i) as usize)).copied();
            if let Some(symbol) = symbol {
                self.partial.symbols.cells.insert((to.start + i) as usize, symbol);
            }
        }
        Ok(())
    }
}
