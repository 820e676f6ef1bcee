//! Instructions and terminators.

use trellis_program::ir::{Cond, Expr, InstrKind, Terminator};
use trellis_program::{CheckKind, Reg, Scalar, Storage, TypeId};

use super::expr::address;
use super::{Lowering, Outside};
use crate::program::{Access, Exit, IntExpr, Op, Source};
use crate::words::Slot;

/// A field of an access: a pointer or data.
enum FieldKind {
    Pointer(Access),
    Data(Access),
}

impl Lowering<'_> {
    pub(super) fn instruction(&mut self, kind: &InstrKind) -> Result<(), Outside> {
        match kind {
            InstrKind::Assign { dst, value } => self.assign(*dst, value),
            InstrKind::Load { dst, addr, scalar } => self.load(*dst, addr, *scalar),
            InstrKind::Store { addr, scalar, value } => self.store(addr, *scalar, value),
            InstrKind::Copy { dst, src, size, .. } => {
                let ((dst, to), (src, from)) = (self.cell(dst, size)?, self.cell(src, size)?);
                if to != from {
                    return Err("a copy between different records".to_owned());
                }
                self.push(Op::Copy { dst, src, record: to });
                Ok(())
            }
            InstrKind::Fill { dst, byte, size } => {
                let (var, record) = self.cell(dst, size)?;
                if *byte != Expr::Int(0) {
                    return Err("memset to a value that is not 0".to_owned());
                }
                self.push(Op::Zero { var, record });
                Ok(())
            }
            InstrKind::Alloc { dst, size, ty, zeroed } => self.allocate(*dst, size, *ty, *zeroed),
            InstrKind::Retype { ptr, ty } => self.retype(ptr, *ty),
            InstrKind::Free { ptr } => {
                if let Source::Var(var) = self.pointer(ptr)? {
                    self.push(Op::Free { var });
                }
                Ok(())
            }
            InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. } => {
                Err("a local variable whose address is taken".to_owned())
            }
            InstrKind::Call { .. } => Err("a call".to_owned()),
            InstrKind::Havoc { dst, .. } => match self.words.scalar(Self::slot(*dst)) {
                Some(dst) => {
                    self.push(Op::Havoc { dst });
                    Ok(())
                }
                None => Err("a nondeterministic pointer".to_owned()),
            },
            InstrKind::Assume { cond } => {
                let op = match cond {
                    Cond::Expr(e) => Op::Assume(self.condition(e)?),
                    Cond::Spec(f) => Op::AssumeFact(self.fact(f, None)?),
                };
                self.push(op);
                Ok(())
            }
            InstrKind::Assert { kind, cond } => {
                let kind = *kind;
                let op = match cond {
                    Cond::Expr(e) => Op::Assert { kind, cond: self.condition(e)? },
                    Cond::Spec(_) if !self.settings.checks.contains(kind) => return Ok(()),
                    Cond::Spec(f) => Op::AssertFact { kind, clause: 0, fact: self.fact(f, None)? },
                };
                self.push(op);
                Ok(())
            }
            InstrKind::Unsupported { reason } => Err(reason.clone()),
        }
    }

    fn assign(&mut self, dst: Reg, value: &Expr) -> Result<(), Outside> {
        let slot = Self::slot(dst);
        if let Some(dst) = self.words.pointer(slot) {
            let value = self.pointer(value)?;
            self.push(Op::Assign { dst, value });
            return Ok(());
        }
        let dst = self.words.scalar(slot).ok_or("a variable of another type")?;
        let value = self.int(value)?;
        self.push(Op::Set { dst, value });
        Ok(())
    }

    fn load(&mut self, dst: Reg, addr: &Expr, scalar: Scalar) -> Result<(), Outside> {
        let slot = Self::slot(dst);
        let op = match self.access(addr, scalar)? {
            FieldKind::Pointer(from) => {
                let dst = self.words.pointer(slot).ok_or("a pointer read as an integer")?;
                Op::Load { dst, from }
            }
            FieldKind::Data(from) => {
                let dst = self.words.scalar(slot).ok_or("an integer read as a pointer")?;
                let kind = self.words.records[from.record].data[from.field].kind;
                if scalar != Scalar::Int(kind) {
                    return Err("a field read as another type".to_owned());
                }
                Op::LoadData { dst, from }
            }
        };
        self.push(op);
        Ok(())
    }

    fn store(&mut self, addr: &Expr, scalar: Scalar, value: &Expr) -> Result<(), Outside> {
        let op = match self.access(addr, scalar)? {
            FieldKind::Pointer(to) => Op::Store { to, value: self.pointer(value)? },
            FieldKind::Data(to) => {
                let kind = self.words.records[to.record].data[to.field].kind;
                if scalar != Scalar::Int(kind) {
                    return Err("a field written as another type".to_owned());
                }
                Op::StoreData { to, value: self.int(value)? }
            }
        };
        self.push(op);
        Ok(())
    }

    /// The field of a record at an address.
    fn access(&self, addr: &Expr, scalar: Scalar) -> Result<FieldKind, Outside> {
        let (reg, offset) = address(addr).ok_or("an access to something else than a field")?;
        let (var, record) = self.record_behind(reg)?;
        let of = &self.words.records[record];
        let field = match scalar {
            Scalar::Ptr(_) => of.pointer_at(offset),
            Scalar::Int(kind) => {
                of.data_at(offset).filter(|f| of.data[*f].kind.bytes() == kind.bytes())
            }
            Scalar::Float(_) => return Err("a floating-point number".to_owned()),
            Scalar::Bits(_) => return Err("a bit-field".to_owned()),
        };
        let field = field.ok_or("an access to something else than a field")?;
        let access = Access { var, record, field };
        Ok(match scalar {
            Scalar::Ptr(_) => FieldKind::Pointer(access),
            _ => FieldKind::Data(access),
        })
    }

    /// A pointer variable, and the record that the code takes what it points to for.
    fn record_behind(&self, reg: Reg) -> Result<(usize, usize), Outside> {
        let outside = "an access through a pointer to something else than a record";
        let var = self.words.pointer(Self::slot(reg)).ok_or(outside)?;
        let only = (self.words.records.len() == 1).then_some(0);
        let record = self.words.pointers[var].to.or(only);
        Ok((var, record.ok_or("an access through a `void *`")?))
    }

    /// A whole cell of so many bytes.
    fn cell(&self, place: &Expr, size: &Expr) -> Result<(usize, usize), Outside> {
        let outside = "memset or memcpy of something else than a whole record";
        let Some((reg, 0)) = address(place) else { return Err(outside.to_owned()) };
        let (var, record) = self.record_behind(reg)?;
        if self.size(size)? != self.words.records[record].size {
            return Err(outside.to_owned());
        }
        Ok((var, record))
    }

    fn allocate(
        &mut self,
        dst: Reg,
        size: &Expr,
        ty: Option<TypeId>,
        zeroed: bool,
    ) -> Result<(), Outside> {
        let var = self.words.pointer(Self::slot(dst)).ok_or("memory for something else")?;
        let size = self.size(size)?;
        let fits = |r: &usize| self.words.records[*r].size == size;
        let record = match ty {
            Some(ty) => self.words.record(ty).filter(fits),
            // What has no type yet becomes the only record of this size.
            None => {
                let mut fitting = (0..self.words.records.len()).filter(fits);
                fitting.next().filter(|_| fitting.next().is_none())
            }
        };
        let record = record.ok_or("memory for something else than one record")?;
        let may_fail = self.settings.malloc_may_fail;
        self.push(Op::Allocate { dst: var, record, zeroed, may_fail });
        Ok(())
    }

    fn retype(&mut self, ptr: &Expr, ty: TypeId) -> Result<(), Outside> {
        self.pointer(ptr)?;
        // Memory of another size than that of its record has no words.
        match self.words.record(ty) {
            Some(_) => Ok(()),
            None => Err("memory of another type".to_owned()),
        }
    }

    pub(super) fn terminator(&mut self, term: &Terminator) -> Result<Exit, Outside> {
        Ok(match term {
            Terminator::Goto(to) => Exit::Goto(to.0 as usize),
            Terminator::Branch { cond, then, els } => Exit::Branch {
                cond: self.condition(cond)?,
                then: then.0 as usize,
                els: els.0 as usize,
                point: self.point,
                span: self.span,
            },
            Terminator::Return(value) => {
                self.leave(value.as_ref())?;
                Exit::Stop
            }
            Terminator::Exit => {
                let locals = |s: Slot| matches!(s, Slot::Local(_));
                let roots = self.roots(&|s, is_temp| !is_temp && locals(s));
                self.push_leak(roots);
                Exit::Stop
            }
            Terminator::ExitFreed => return Err("an end where nothing may be left".to_owned()),
            Terminator::Abort => Exit::Stop,
        })
    }

    /// The contract is checked, and what nobody holds any more is lost.
    fn leave(&mut self, value: Option<&Expr>) -> Result<(), Outside> {
        let ret = self.program.proc(self.proc).ret;
        let (mut pointer, mut number) = (None, None);
        match (value, self.program.types.scalar(ret)) {
            (None, _) => {}
            (Some(e), Some(Scalar::Ptr(_))) => pointer = Some(self.pointer(e)?),
            (Some(e), Some(Scalar::Int(kind))) => {
                let value = self.int(e)?;
                self.push(Op::Evaluate { value: value.clone(), kind });
                number = Some(value);
            }
            (Some(_), _) => return Err("a struct that is returned".to_owned()),
        }
        let contract = &self.program.proc(self.proc).contract;
        if self.settings.checks.contains(CheckKind::Postcondition) {
            let result = Returned { pointer, number };
            for (i, clause) in contract.ensures.iter().enumerate() {
                let fact = self.fact(&clause.formula, Some(&result))?;
                let kind = CheckKind::Postcondition;
                self.push(Op::AssertFact { kind, clause: i as u32, fact });
            }
        }
        if self.settings.checks.contains(CheckKind::Assigns)
            && matches!(contract.assigns, trellis_program::spec::Assigns::Places(..))
        {
            return Err("an assigns clause".to_owned());
        }
        let mut roots = self.roots(&|_, _| false);
        roots.extend(pointer);
        self.push_leak(roots);
        Ok(())
    }

    /// Globals, arguments as they were passed, and the variables that are asked for.
    fn roots(&self, also: &dyn Fn(Slot, bool) -> bool) -> Vec<Source> {
        let vars = self.words.pointers.iter().enumerate();
        let held = vars.filter(|(_, p)| match p.slot {
            Slot::Global(g) => !self.program.global(g).is_ghost,
            Slot::Entry(_) => true,
            Slot::Local(v) => {
                let ghost = self.program.proc(self.proc).var(v).is_ghost;
                p.is_entry || !ghost && also(p.slot, p.is_temp)
            }
        });
        held.map(|(i, _)| Source::Var(i)).collect()
    }

    fn push_leak(&mut self, roots: Vec<Source>) {
        if self.settings.checks.contains(CheckKind::Leak) {
            self.push(Op::Leak { roots });
        }
    }
}

/// What a procedure returns.
pub(super) struct Returned {
    pub(super) pointer: Option<Source>,
    pub(super) number: Option<IntExpr>,
}

/// Whether a variable is a register.
pub(super) fn is_register(storage: Storage) -> bool {
    storage == Storage::Register
}
