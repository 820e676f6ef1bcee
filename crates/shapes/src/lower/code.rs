//! Instructions and ends of blocks.

use trellis_program::ir::{BlockId, Cond, Expr, InstrKind, Terminator};
use trellis_program::{CheckKind, Reg, Scalar, TypeId};

use super::Lowering;
use super::expr::address;
use crate::contract::{Outside, fact};
use crate::heap::Ref;
use crate::program::{BlockStart, Exit, IntExpr, ListVar, Op, Slot, Source};

impl Lowering<'_> {
    /// Lowers an instruction; `Some` if the block ends with it.
    pub(super) fn instruction(&mut self, context: usize, kind: &InstrKind) -> Option<Exit> {
        for e in kind.exprs() {
            self.arithmetic(e);
        }
        let done = match kind {
            InstrKind::Assign { dst, value } => self.assign(context, *dst, value),
            InstrKind::Load { dst, addr, scalar } => self.load(context, *dst, addr, *scalar),
            InstrKind::Store { addr, scalar, value } => self.store(context, addr, *scalar, value),
            InstrKind::Fill { dst, byte, size } => self.fill(context, dst, byte, size),
            InstrKind::Copy { dst, src, size, .. } => self.copy(context, dst, src, size),
            InstrKind::Alloc { dst, size, ty, zeroed } => {
                self.allocate(context, *dst, size, *ty, *zeroed)
            }
            InstrKind::Retype { ptr, ty } => self.retype(context, ptr, *ty),
            InstrKind::Free { ptr } => self.free(context, ptr),
            // An object variable matters only if its address is used, which is refused there.
            InstrKind::BeginLocal { .. } | InstrKind::EndLocal { .. } => Ok(()),
            InstrKind::BeginArray { .. } => Err("an array of variable length".to_owned()),
            InstrKind::Call { dst, proc, args } => {
                return self.call(context, *dst, *proc, args);
            }
            InstrKind::Havoc { dst, .. } => self.havoc(context, *dst),
            InstrKind::Assume { cond } => self.assume(context, cond),
            InstrKind::Assert { kind, cond } => self.assertion(context, *kind, cond),
            InstrKind::Unsupported { reason } => Err(reason.clone()),
        };
        if let Err(reason) = done {
            self.push(Op::Unsupported(reason));
            return Some(Exit::Stop);
        }
        None
    }

    pub(super) fn terminator(&mut self, context: usize, term: &Terminator) -> Exit {
        let to = |lowering: &mut Self, block: BlockId| {
            lowering.number(BlockStart { context, block, instr: 0 })
        };
        match term {
            Terminator::Goto(block) => Exit::Goto(to(self, *block)),
            Terminator::Branch { cond, then, els } => {
                self.arithmetic(cond);
                match self.int(context, cond) {
                    Ok(cond) => {
                        let (point, span) = (self.point, self.span);
                        let (then, els) = (to(self, *then), to(self, *els));
                        Exit::Branch { cond, then, els, point, span }
                    }
                    Err(reason) => {
                        self.push(Op::Unsupported(reason));
                        Exit::Stop
                    }
                }
            }
            Terminator::Return(value) => self.return_from(context, value.as_ref()),
            Terminator::Exit => {
                if self.settings.checks.contains(CheckKind::Leak) {
                    let roots = self.frame_roots(context);
                    self.push(Op::Leak { roots });
                }
                Exit::Stop
            }
            Terminator::ExitFreed => {
                self.push(Op::Unsupported("an end where nothing may be left".to_owned()));
                Exit::Stop
            }
            Terminator::Abort => Exit::Stop,
        }
    }

    pub(super) fn assign(&mut self, context: usize, dst: Reg, value: &Expr) -> Result<(), Outside> {
        match self.slot(context, dst) {
            Slot::List(dst) => {
                let value = self.pointer(context, value)?;
                self.push(Op::Assign { dst, value });
            }
            Slot::Int(dst) => {
                let value = self.scalar(context, value)?;
                self.push(Op::Int { dst, value });
            }
            Slot::None => return Err("a variable of this kind".to_owned()),
        }
        Ok(())
    }

    /// The node variable and field of an access.
    fn node_field(&self, context: usize, addr: &Expr) -> Result<(usize, u32), Outside> {
        let Some((reg, offset)) = address(addr) else {
            return Err(match addr {
                Expr::Addr(_) => "access to a variable through its address".to_owned(),
                _ => "access through pointer arithmetic".to_owned(),
            });
        };
        let types = &self.program.types;
        let proc = self.out.contexts[context].proc;
        let pointee = types.pointee(self.program.reg_type(proc, reg));
        match (self.slot(context, reg), u32::try_from(offset), pointee) {
            (Slot::List(x), Ok(offset), Some(t)) if self.is_node(t) => Ok((x, offset)),
            _ => Err("access to memory that is no list node".to_owned()),
        }
    }

    /// Whether an access is to the field that is followed; an error if it follows another one.
    fn is_next(&self, offset: u32, scalar: Scalar) -> Result<bool, Outside> {
        let Some(node) = &self.out.node else {
            return Err("access to memory that is no list node".to_owned());
        };
        if offset == node.offset {
            return match scalar {
                Scalar::Ptr(t) if t == node.record => Ok(true),
                _ => Err("access that does not match the node's type".to_owned()),
            };
        }
        let layout = self.program.types.layout(node.record);
        let bytes = self.program.types.bytes(scalar);
        let known = layout.is_some_and(|l| l.cell_at(offset, bytes).is_some());
        match scalar {
            Scalar::Ptr(t) if t == node.record => {
                Err("a second pointer field of the list node".to_owned())
            }
            Scalar::Bits(_) => Err("a bit-field".to_owned()),
            _ if known => Ok(false),
            _ => Err("access that does not match the node's type".to_owned()),
        }
    }

    fn load(
        &mut self,
        context: usize,
        dst: Reg,
        addr: &Expr,
        scalar: Scalar,
    ) -> Result<(), Outside> {
        let (var, field) = self.node_field(context, addr)?;
        let next = self.is_next(field, scalar)?;
        match (self.slot(context, dst), next) {
            (Slot::List(dst), true) => self.push(Op::Load { dst, src: var }),
            (Slot::Int(dst), false) => {
                self.push(Op::Data { var, field, read: Some(dst), unwritten: None });
            }
            _ => return Err("a field read as another type".to_owned()),
        }
        Ok(())
    }

    fn store(
        &mut self,
        context: usize,
        addr: &Expr,
        scalar: Scalar,
        value: &Expr,
    ) -> Result<(), Outside> {
        let (var, field) = self.node_field(context, addr)?;
        if self.is_next(field, scalar)? {
            let value = self.pointer(context, value)?;
            self.push(Op::Store { dst: var, value });
            return Ok(());
        }
        if scalar.is_ptr() && self.settings.checks.contains(CheckKind::Leak) {
            return Err("a write to a pointer field that is not followed".to_owned());
        }
        let undefined = match self.int(context, value)? {
            IntExpr::Const(_) => Vec::new(),
            value => vec![value],
        };
        self.push(Op::Data { var, field, read: None, unwritten: None });
        // A field that receives an undefined value is as if it was never written. What cannot be
        // undefined needs no second look.
        if undefined.iter().any(crate::initialised::may_be_undefined) {
            self.push(Op::DefinedData { values: undefined });
        }
        Ok(())
    }

    /// The list variable whose whole node is touched, and the cells that are not followed. With
    /// `typed`, what it points to must have the node's type already.
    fn whole_node(
        &mut self,
        context: usize,
        place: &Expr,
        size: &Expr,
        typed: bool,
    ) -> Result<(usize, Vec<(u32, Scalar)>), Outside> {
        let node = self.out.node.clone().ok_or("memset or memcpy of what is no list node")?;
        let Source::Var(var) = self.pointer(context, place)? else {
            return Err("memset or memcpy through the constant null".to_owned());
        };
        let is_node = address(place).is_some_and(|(reg, _)| {
            let ty = self.program.reg_type(self.out.contexts[context].proc, reg);
            self.program.types.pointee(ty).is_some_and(|t| self.is_node(t))
        });
        if typed && !is_node {
            return Err("a copy of memory that may have no type yet".to_owned());
        }
        if self.program.types.has_const(node.record) {
            return Err("memset or memcpy of a node with constant members".to_owned());
        }
        let size = self.size(context, size)?;
        if matches!(size, IntExpr::Const(c) if c != i64::from(node.size)) {
            return Err("memset or memcpy of something else than a whole node".to_owned());
        }
        if !matches!(size, IntExpr::Const(_)) {
            self.push(Op::WholeNode { size });
        }
        let layout = self.program.types.layout(node.record);
        let cells = layout.into_iter().flat_map(|l| &l.cells).map(|c| (c.offset, c.scalar));
        let others: Vec<(u32, Scalar)> = cells.filter(|(o, _)| *o != node.offset).collect();
        let leaks = self.settings.checks.contains(CheckKind::Leak);
        if leaks && others.iter().any(|(_, scalar)| scalar.is_ptr()) {
            return Err("a write to a pointer field that is not followed".to_owned());
        }
        Ok((var, others))
    }

    fn fill(
        &mut self,
        context: usize,
        dst: &Expr,
        byte: &Expr,
        size: &Expr,
    ) -> Result<(), Outside> {
        let (var, others) = self.whole_node(context, dst, size, false)?;
        if self.scalar(context, byte)? != IntExpr::Const(0) {
            return Err("memset to a value that is not 0".to_owned());
        }
        self.push(Op::Store { dst: var, value: Source::End(Ref::NULL) });
        for (field, _) in others {
            self.push(Op::Data { var, field, read: None, unwritten: None });
        }
        Ok(())
    }

    /// One node becomes a copy of another one, or of itself.
    fn copy(&mut self, context: usize, dst: &Expr, src: &Expr, size: &Expr) -> Result<(), Outside> {
        let (from, others) = self.whole_node(context, src, size, true)?;
        let (to, _) = self.whole_node(context, dst, size, false)?;
        let next = self.out.vars.len();
        self.out.vars.push(ListVar { name: format!("%copy{next}"), is_temp: true });
        self.push(Op::Load { dst: next, src: from });
        let mut values = Vec::new();
        for (field, _) in &others {
            let read = self.out.ints.len();
            self.out.ints.push(format!("%copy{read}"));
            self.push(Op::Data { var: from, field: *field, read: Some(read), unwritten: None });
            values.push(IntExpr::Var(read));
        }
        self.push(Op::Store { dst: to, value: Source::Var(next) });
        for (field, _) in others {
            self.push(Op::Data { var: to, field, read: None, unwritten: None });
        }
        if !values.is_empty() {
            self.push(Op::DefinedData { values });
        }
        self.push(Op::Assign { dst: next, value: Source::End(Ref::UNDEF) });
        Ok(())
    }

    fn allocate(
        &mut self,
        context: usize,
        dst: Reg,
        size: &Expr,
        ty: Option<TypeId>,
        zeroed: bool,
    ) -> Result<(), Outside> {
        let Slot::List(dst) = self.slot(context, dst) else {
            return Err("allocation of memory that is no list node".to_owned());
        };
        let size = self.size(context, size)?;
        let node = self.out.node.as_ref().map(|n| i64::from(n.size));
        let other = matches!(size, IntExpr::Const(c) if Some(c) != node);
        if node.is_none() || other || !ty.is_none_or(|t| self.is_node(t)) {
            return Err("allocation of memory that is no list node".to_owned());
        }
        let may_fail = self.settings.malloc_may_fail;
        self.push(Op::Allocate { dst, size, zeroed, may_fail });
        Ok(())
    }

    fn retype(&mut self, context: usize, ptr: &Expr, ty: TypeId) -> Result<(), Outside> {
        self.pointer(context, ptr)?;
        if self.is_node(ty) { Ok(()) } else { Err("memory of another type".to_owned()) }
    }

    fn free(&mut self, context: usize, ptr: &Expr) -> Result<(), Outside> {
        let value = self.pointer(context, ptr)?;
        let Source::Var(var) = value else {
            return Ok(());
        };
        let types = &self.program.types;
        let node = self.out.node.as_ref();
        let layout = node.and_then(|n| types.layout(n.record));
        let pointers = layout.map_or(0, |l| l.cells.iter().filter(|c| c.scalar.is_ptr()).count());
        if pointers > 1 && self.settings.checks.contains(CheckKind::Leak) {
            return Err("free of a node with a pointer field that is not followed".to_owned());
        }
        self.push(Op::Free { var });
        Ok(())
    }

    fn havoc(&mut self, context: usize, dst: Reg) -> Result<(), Outside> {
        match self.slot(context, dst) {
            Slot::Int(dst) => self.push(Op::Int { dst, value: IntExpr::Opaque(Vec::new()) }),
            Slot::List(_) | Slot::None => return Err("a nondeterministic pointer".to_owned()),
        }
        Ok(())
    }

    fn assume(&mut self, context: usize, cond: &Cond) -> Result<(), Outside> {
        match cond {
            Cond::Expr(e) => {
                let cond = self.int(context, e)?;
                self.push(Op::Assume(cond));
            }
            Cond::Spec(f) => {
                let fact = fact(&self.slots(context), f)?;
                self.push(Op::AssumeFact(fact));
            }
        }
        Ok(())
    }

    fn assertion(&mut self, context: usize, kind: CheckKind, cond: &Cond) -> Result<(), Outside> {
        match cond {
            Cond::Expr(e) => {
                let cond = self.int(context, e)?;
                self.push(Op::Test { kind, cond });
            }
            Cond::Spec(_) if !self.settings.checks.contains(kind) => {}
            Cond::Spec(f) => {
                let fact = fact(&self.slots(context), f)?;
                self.push(Op::Assert { kind, clause: 0, fact });
            }
        }
        Ok(())
    }
}
