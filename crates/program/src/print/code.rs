//! Expressions, instructions and terminators in C-like form.

use super::lvalue::{self, Address, PREFIX, address, scalar_at};
use super::{int_name, label, print_formula};
use crate::ir::{BinOp, Cond, Expr, InstrKind, ProcId, Program, Reg, Terminator, UnOp, VarId};
use crate::types::{TypeId, TypeTable};

/// Prints the code of one procedure.
pub(super) struct Writer<'a> {
    pub(super) program: &'a Program,
    pub(super) proc: ProcId,
}

impl lvalue::Writer<Expr> for Writer<'_> {
    fn types(&self) -> &TypeTable {
        &self.program.types
    }

    fn address_of<'a>(&self, e: &'a Expr) -> Address<'a, Expr> {
        match e {
            Expr::Addr(r) => Address::Object(*r),
            Expr::Offset(inner, k) => Address::Moved(inner, *k),
            Expr::Index { base, index, size } => Address::Element(base, index, *size),
            _ => Address::Value,
        }
    }

    fn pointee(&self, e: &Expr) -> Option<TypeId> {
        match e {
            Expr::Reg(r) => self.program.types.pointee(self.program.reg_type(self.proc, *r)),
            Expr::Index { base, .. } => self.pointee(base),
            _ => None,
        }
    }

    fn name(&self, reg: Reg) -> String {
        self.program.reg_name(self.proc, reg).to_string()
    }

    fn reg_type(&self, reg: Reg) -> Option<TypeId> {
        Some(self.program.reg_type(self.proc, reg))
    }

    fn write(&self, e: &Expr, tightness: u8) -> String {
        self.expr(e, tightness)
    }
}

/// How tightly an operator binds, from `|` (2) to `*` (10), as in C.
fn tightness(op: BinOp) -> u8 {
    match op {
        BinOp::Or => 2,
        BinOp::Xor => 3,
        BinOp::And => 4,
        BinOp::Shl | BinOp::Shr => 8,
        BinOp::Add | BinOp::Sub => lvalue::SUM,
        BinOp::Mul | BinOp::Div | BinOp::Rem => 10,
    }
}

fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
    }
}

impl Writer<'_> {
    pub(super) fn expr(&self, e: &Expr, outer: u8) -> String {
        let infix = |a: &Expr, op: &str, b: &Expr, own: u8| {
            let text = format!("{} {op} {}", self.expr(a, own), self.expr(b, own + 1));
            if own < outer { format!("({text})") } else { text }
        };
        let prefix = |op: &str, a: &Expr| {
            let text = format!("{op}{}", self.expr(a, PREFIX));
            if PREFIX < outer { format!("({text})") } else { text }
        };
        match e {
            Expr::Int(i) if *i < 0 => match PREFIX < outer {
                true => format!("({i})"),
                false => i.to_string(),
            },
            Expr::Int(i) => i.to_string(),
            Expr::Null => "NULL".into(),
            Expr::Reg(r) => lvalue::Writer::name(self, *r),
            Expr::Addr(_) | Expr::Offset(..) | Expr::Index { .. } => address(self, e, outer),
            Expr::Unary(UnOp::Neg, _, a) => prefix("-", a),
            Expr::Unary(UnOp::BitNot, _, a) => prefix("~", a),
            Expr::Binary(op, _, a, b) => infix(a, symbol(*op), b, tightness(*op)),
            Expr::Cmp(op, _, a, b) => {
                // As in C, those that order bind tighter.
                let own = if op.is_equality() { 5 } else { 6 };
                infix(a, op.symbol(), b, own)
            }
            Expr::Not(a) => prefix("!", a),
            Expr::Convert(kind, a) => {
                prefix(&format!("({})", int_name(&self.program.types, *kind)), a)
            }
            Expr::ToPtr(a) => prefix("(void *)", a),
            Expr::Diff(a, b, _) => infix(a, "-", b, lvalue::SUM),
            Expr::Extent(a, _) => format!("{}.length", self.expr(a, lvalue::POSTFIX)),
        }
    }

    fn local(&self, v: VarId) -> String {
        lvalue::Writer::name(self, Reg::Local(v))
    }

    pub(super) fn instr(&self, kind: &InstrKind) -> String {
        let name = |r: &Reg| lvalue::Writer::name(self, *r);
        let expr = |e: &Expr| self.expr(e, 0);
        let types = &self.program.types;
        match kind {
            InstrKind::Assign { dst, value } => format!("{} = {}", name(dst), expr(value)),
            InstrKind::Load { dst, addr, scalar } => {
                format!("{} = {}", name(dst), scalar_at(self, addr, *scalar))
            }
            InstrKind::Store { addr, scalar, value } => {
                format!("{} = {}", scalar_at(self, addr, *scalar), expr(value))
            }
            InstrKind::Copy { dst, src, size, may_overlap } => {
                let name = if *may_overlap { "memmove" } else { "memcpy" };
                format!("{name}({}, {}, {})", expr(dst), expr(src), expr(size))
            }
            InstrKind::Fill { dst, byte, size } => {
                format!("memset({}, {}, {})", expr(dst), expr(byte), expr(size))
            }
            InstrKind::Alloc { dst, size, ty, zeroed } => {
                let cast = ty.map_or(String::new(), |t| {
                    let name = types.name(t);
                    let star = if name.ends_with('*') { "*" } else { " *" };
                    format!("({name}{star})")
                });
                let call = match zeroed {
                    true => format!("calloc(1, {})", expr(size)),
                    false => format!("malloc({})", expr(size)),
                };
                format!("{} = {cast}{call}", name(dst))
            }
            InstrKind::Retype { ptr, ty } => {
                format!("retype {} as {}", expr(ptr), types.name(*ty))
            }
            InstrKind::Free { ptr } => format!("free({})", expr(ptr)),
            InstrKind::BeginLocal { var } => format!("begin {}", self.local(*var)),
            InstrKind::BeginArray { var, element, count } => {
                format!("begin {}: {} of {}", self.local(*var), expr(count), types.name(*element))
            }
            InstrKind::EndLocal { var } => format!("end {}", self.local(*var)),
            InstrKind::Call { dst, proc, args } => {
                let args: Vec<String> = args.iter().map(expr).collect();
                let call = format!("{}({})", self.program.proc(*proc).name, args.join(", "));
                match dst {
                    Some(dst) => format!("{} = {call}", name(dst)),
                    None => call,
                }
            }
            InstrKind::Havoc { dst, .. } => format!("havoc {}", name(dst)),
            InstrKind::Assume { cond } => format!("assume {}", self.cond(cond)),
            InstrKind::Assert { kind, cond } => format!("assert[{kind}] {}", self.cond(cond)),
            InstrKind::Unsupported { reason } => format!("unsupported: {reason}"),
        }
    }

    fn cond(&self, cond: &Cond) -> String {
        match cond {
            Cond::Expr(e) => self.expr(e, 0),
            Cond::Spec(f) => print_formula(self.program, self.proc, f),
        }
    }

    pub(super) fn terminator(&self, term: &Terminator) -> String {
        match term {
            Terminator::Goto(b) => format!("goto {}", label(*b)),
            Terminator::Branch { cond, then, els } => {
                format!("if ({}) goto {} else {}", self.expr(cond, 0), label(*then), label(*els))
            }
            Terminator::Return(Some(e)) => format!("return {}", self.expr(e, 0)),
            Terminator::Return(None) => "return".into(),
            Terminator::Exit => "exit".into(),
            Terminator::ExitFreed => "exit freed".into(),
            Terminator::Abort => "abort".into(),
        }
    }
}
