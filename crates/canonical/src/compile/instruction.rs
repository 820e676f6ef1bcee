//! Instructions.

use trellis_program::{CheckKind, Expr, Instr, InstrKind, Refusal, Reg, Scalar, Span};

use super::Compiler;
use crate::core::{Fields, Statement, VarIndex};
use crate::engine::Check;

/// A field of the node type.
enum Place {
    /// The list field.
    Next,
    /// An integer field, with its number if it is followed.
    Data(Option<usize>),
}

impl Compiler<'_> {
    pub(super) fn instruction(&mut self, from: usize, instr: &Instr) -> Result<(), Refusal> {
        let (to, span) = (from + 1, instr.span);
        let refuse = |reason: &str| Err(Refusal::at(span, reason));
        match &instr.kind {
            InstrKind::Assign { dst, value } => {
                let statement = match self.target(*dst, span)? {
                    None => {
                        self.harmless(value, span)?;
                        Statement::Skip
                    }
                    Some(x) => self.assignment(x, value, span)?,
                };
                self.push(from, to, statement, Vec::new());
            }
            InstrKind::Load { dst, addr, scalar } => self.load(from, *dst, addr, *scalar, span)?,
            InstrKind::Store { addr, scalar, value } => {
                self.store(from, addr, *scalar, value, span)?;
            }
            InstrKind::Alloc { dst, size, ty, zeroed } => {
                let Some(x) = self.target(*dst, span)? else {
                    return refuse("an allocation that is no pointer");
                };
                let is_node = self.constant(size) == Some(i64::from(self.variables.node.size))
                    && ty.is_none_or(|ty| ty == self.variables.node.record);
                if !is_node {
                    return refuse("an allocation of something else than a node");
                }
                let fields = if *zeroed { Fields::Zero } else { Fields::Undefined };
                self.push(from, to, Statement::New(x, fields), Vec::new());
                if self.options.malloc_may_fail {
                    self.push(from, to, Statement::Null(x), Vec::new());
                }
            }
            InstrKind::Retype { ptr, ty } => {
                self.pointer(ptr, span)?;
                if *ty != self.variables.node.record {
                    return refuse("a pointer to another type");
                }
                self.push(from, to, Statement::Skip, Vec::new());
            }
            InstrKind::Free { ptr } => match self.pointer(ptr, span)? {
                None => self.push(from, to, Statement::Skip, Vec::new()),
                Some(x) => {
                    let not_yet = self.not_at(x, self.core.freed);
                    let check = self.check(CheckKind::DoubleFree, from, span, not_yet);
                    self.push(from, to, Statement::Free(x), vec![check]);
                }
            },
            InstrKind::Havoc { dst, .. } => {
                if self.target(*dst, span)?.is_some() {
                    return refuse("a pointer that may be anything");
                }
                self.push(from, to, Statement::Skip, Vec::new());
            }
            InstrKind::Assume { cond } => self.stated(from, to, cond, None, span)?,
            InstrKind::Assert { kind, cond } => self.stated(from, to, cond, Some(*kind), span)?,
            InstrKind::Call { .. } => return refuse("a call"),
            InstrKind::Fill { dst, byte, size } => self.fill(from, dst, byte, size, span)?,
            InstrKind::Copy { dst, src, size, .. } => self.copy(from, dst, src, size, span)?,
            InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. } => {
                return refuse("a variable in memory");
            }
            InstrKind::Unsupported { reason } => return refuse(reason),
        }
        Ok(())
    }

    /// The variable whose whole node is touched, by so many bytes.
    fn whole_node(&self, place: &Expr, size: &Expr, span: Span) -> Result<VarIndex, Refusal> {
        let refuse = |reason: &str| Err(Refusal::at(span, reason));
        if self.constant(size) != Some(i64::from(self.variables.node.size)) {
            return refuse("memset or memcpy of what may be no whole node");
        }
        match self.pointer(place, span)? {
            Some(x) => Ok(x),
            None => refuse("memset or memcpy through the constant null"),
        }
    }

    /// `memset` of a whole node to 0.
    fn fill(
        &mut self,
        from: usize,
        dst: &Expr,
        byte: &Expr,
        size: &Expr,
        span: Span,
    ) -> Result<(), Refusal> {
        let x = self.whole_node(dst, size, span)?;
        if self.constant(byte) != Some(0) {
            return Err(Refusal::at(span, "memset to a value that is not 0"));
        }
        let checks = self.deref_checks(x, from, span);
        let at = self.then(from, Statement::StoreNull(x), checks);
        self.write_data(at, from + 1, x);
        Ok(())
    }

    /// A node becomes a copy of another one, or of itself.
    fn copy(
        &mut self,
        from: usize,
        dst: &Expr,
        src: &Expr,
        size: &Expr,
        span: Span,
    ) -> Result<(), Refusal> {
        let (t, x) = (self.whole_node(src, size, span)?, self.whole_node(dst, size, span)?);
        let (true, Some(next)) = (self.is_typed(src), self.variables.copied) else {
            return Err(Refusal::at(span, "a copy of memory that may have no type yet"));
        };
        let mut checks = self.deref_checks(t, from, span);
        // Stricter than C, which may copy what is not defined.
        for predicate in [self.core.undef_n].into_iter().chain(self.core.undef_data.clone()) {
            let defined = self.not_at(t, predicate);
            checks.push(self.check(CheckKind::Uninit, from, span, defined));
        }
        let at = self.then(from, Statement::Load(next, t), checks);
        let checks = self.deref_checks(x, from, span);
        let at = self.then(at, Statement::StoreNull(x), checks);
        let at = self.then(at, Statement::Store(x, next), Vec::new());
        let at = self.then(at, Statement::Null(next), Vec::new());
        self.write_data(at, from + 1, x);
        Ok(())
    }

    /// Whether an expression is a variable that points to nodes, not just to some memory.
    fn is_typed(&self, expr: &Expr) -> bool {
        let Expr::Reg(reg) = expr else {
            return false;
        };
        let pointee = self.program.types.pointee(self.program.reg_type(self.proc, *reg));
        pointee == Some(self.variables.node.record)
    }

    /// A statement to a new point at the same place.
    fn then(&mut self, from: usize, statement: Statement, checks: Vec<Check>) -> usize {
        let to = self.extra_point(from);
        self.push(from, to, statement, checks);
        to
    }

    /// All integer fields of a node are written.
    fn write_data(&mut self, from: usize, to: usize, x: VarIndex) {
        let mut at = from;
        for i in 0..self.core.undef_data.len() {
            at = self.then(at, Statement::StoreData(x, i), Vec::new());
        }
        self.push(at, to, Statement::Skip, Vec::new());
    }

    /// The pointer variable that is written, or `None` for an integer.
    fn target(&self, dst: Reg, span: Span) -> Result<Option<VarIndex>, Refusal> {
        match dst {
            Reg::Local(v) => Ok(self.variables.locals[v.0 as usize]),
            Reg::Global(_) => Err(Refusal::at(span, "a global variable")),
        }
    }

    fn assignment(&self, x: VarIndex, value: &Expr, span: Span) -> Result<Statement, Refusal> {
        Ok(match self.pointer(value, span)? {
            None => Statement::Null(x),
            Some(t) if t == x => Statement::Skip,
            Some(t) => Statement::Copy(x, t),
        })
    }

    fn place(&self, offset: i64, scalar: Scalar, span: Span) -> Result<Place, Refusal> {
        let (variables, types) = (self.variables, &self.program.types);
        let is = |o: u32, s: Scalar| {
            i64::from(o) == offset
                && s.is_ptr() == scalar.is_ptr()
                && types.bytes(s) == types.bytes(scalar)
        };
        if is(variables.node.offset, variables.node.scalar()) {
            return Ok(Place::Next);
        }
        if variables.integers.iter().any(|&(o, s)| is(o, s)) {
            let number = variables.data.iter().position(|&(o, _)| i64::from(o) == offset);
            return Ok(Place::Data(number));
        }
        Err(Refusal::at(span, "an access to something else than a field of a node"))
    }

    fn load(
        &mut self,
        from: usize,
        dst: Reg,
        addr: &Expr,
        scalar: Scalar,
        span: Span,
    ) -> Result<(), Refusal> {
        let (t, offset) = self.address(addr, span)?;
        let mut checks = self.deref_checks(t, from, span);
        let (undefined, statement) =
            match (self.place(offset, scalar, span)?, self.target(dst, span)?) {
                (Place::Next, Some(x)) => (Some(self.core.undef_n), Statement::Load(x, t)),
                (Place::Data(number), None) => {
                    (number.map(|i| self.core.undef_data[i]), Statement::Skip)
                }
                _ => return Err(Refusal::at(span, "a pointer kept in an integer")),
            };
        if let Some(predicate) = undefined {
            // Stricter than C, which may copy an undefined value as long as nothing depends on it.
            let defined = self.not_at(t, predicate);
            checks.push(self.check(CheckKind::Uninit, from, span, defined));
        }
        self.push(from, from + 1, statement, checks);
        Ok(())
    }

    fn store(
        &mut self,
        from: usize,
        addr: &Expr,
        scalar: Scalar,
        value: &Expr,
        span: Span,
    ) -> Result<(), Refusal> {
        let (x, offset) = self.address(addr, span)?;
        let checks = self.deref_checks(x, from, span);
        match self.place(offset, scalar, span)? {
            Place::Next => match self.pointer(value, span)? {
                None => self.push(from, from + 1, Statement::StoreNull(x), checks),
                Some(t) => {
                    let between = self.extra_point(from);
                    self.push(from, between, Statement::StoreNull(x), checks);
                    self.push(between, from + 1, Statement::Store(x, t), Vec::new());
                }
            },
            Place::Data(number) => {
                self.harmless(value, span)?;
                let statement = number.map_or(Statement::Skip, |i| Statement::StoreData(x, i));
                self.push(from, from + 1, statement, checks);
            }
        }
        Ok(())
    }
}
