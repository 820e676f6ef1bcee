//! Expressions.
//!
//! Operands are evaluated from left to right; what the evaluation of a later one may change is kept
//! in a temporary. Integers are promoted as in Java and wrap around; a shift looks at the low bits
//! of its distance, and the least number divided by -1 is itself.

use trellis_program::ir::{
    BinOp, BlockId, CmpOp, Expr as IrExpr, InstrKind, Reg, Terminator, UnOp, VarId,
};
use trellis_program::source::{Diagnostic, Span, suggest};
use trellis_program::{CheckKind, IntKind, Scalar};

use super::method::Code;
use super::types::{Ty, is_library};
use crate::ast::{Expr, ExprKind};

/// A value with its type.
#[derive(Clone, Debug)]
pub(crate) struct Val {
    pub e: IrExpr,
    pub ty: Ty,
}

/// Where a value can be kept.
pub(crate) enum Place {
    Register(Reg, Ty),
    Memory(IrExpr, Scalar, Ty),
    /// Complained about already.
    Nowhere,
}

/// A pointer moved by some bytes.
pub(crate) fn offset(base: IrExpr, by: u32) -> IrExpr {
    if by == 0 { base } else { IrExpr::Offset(Box::new(base), by.into()) }
}

/// Whether evaluating an expression may change a variable.
fn has_effects(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Assign(..) | ExprKind::Step { .. } | ExprKind::Call { .. } | ExprKind::New { .. }
    ) || e.parts().into_iter().any(has_effects)
}

impl<'a> Code<'_, 'a> {
    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Call { target, name, name_span, args } => {
                self.call(target.as_deref(), name, *name_span, args, e.span);
            }
            _ => {
                self.value(e);
            }
        }
    }

    /// Evaluates an expression to a value of a type.
    pub(super) fn converted(&mut self, e: &'a Expr, ty: &Ty) -> IrExpr {
        let value = self.value(e);
        self.convert(value, ty, e)
    }

    pub(super) fn convert(&mut self, value: Val, ty: &Ty, e: &Expr) -> IrExpr {
        let classes = &self.lower.classes;
        let fits_constant = match (&e.kind, ty) {
            (ExprKind::Int(i, false), Ty::Int(k)) => i128::from(k.wrap(*i)) == *i,
            _ => false,
        };
        if !fits_constant && !classes.assignable(&value.ty, ty) {
            let (from, to) = (classes.name(&value.ty), classes.name(ty));
            let message = format!("this is of type `{from}`, but `{to}` is needed here");
            self.lower.error(Diagnostic::error(e.span, message));
        }
        match (&value.ty, ty) {
            (Ty::Int(from), Ty::Int(to)) if from != to => IrExpr::Convert(*to, Box::new(value.e)),
            _ => value.e,
        }
    }

    fn unknown(&self) -> Val {
        Val { e: IrExpr::Int(0), ty: Ty::Unknown }
    }

    fn refuse(&mut self, span: Span, reason: &str) -> Val {
        self.unsupported(span, reason);
        self.unknown()
    }

    /// Keeps a value in a temporary.
    fn keep(&mut self, value: Val, span: Span) -> Val {
        if matches!(value.e, IrExpr::Int(_) | IrExpr::Null) {
            return value;
        }
        let temp = self.temp(value.ty.clone(), span);
        self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value: value.e }, span);
        Val { e: IrExpr::local(temp), ty: value.ty }
    }

    /// A value that later operands cannot change.
    fn value_before(&mut self, e: &'a Expr, later: &[&Expr]) -> Val {
        let value = self.value(e);
        match later.iter().any(|l| has_effects(l)) {
            true => self.keep(value, e.span),
            false => value,
        }
    }

    pub(super) fn value(&mut self, e: &'a Expr) -> Val {
        let span = e.span;
        match &e.kind {
            ExprKind::Int(i, long) => {
                let kind = if *long { IntKind::LONG } else { IntKind::INT };
                if i128::from(kind.wrap(*i)) != *i {
                    self.lower.error(Diagnostic::error(span, "this number does not fit"));
                }
                Val { e: IrExpr::Int(kind.wrap(*i)), ty: Ty::Int(kind) }
            }
            ExprKind::Bool(b) => Val { e: IrExpr::Int((*b).into()), ty: Ty::Bool },
            ExprKind::Null => Val { e: IrExpr::Null, ty: Ty::Null },
            ExprKind::This => match self.this {
                Some(this) => Val { e: IrExpr::local(this), ty: Ty::Class(self.class) },
                None => {
                    let message = "there is no `this` in a static method";
                    self.lower.error(Diagnostic::error(span, message));
                    self.unknown()
                }
            },
            ExprKind::Field(base, name, _) if name == "length" && self.is_array(base) => {
                let array = self.value(base);
                let Ty::Array(element) = &array.ty else { return self.unknown() };
                let size = self.lower.classes.scalar(element).bytes();
                let length = IrExpr::Extent(Box::new(array.e), size);
                self.keep(Val { e: length, ty: Ty::Int(IntKind::INT) }, span)
            }
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => {
                let place = self.place(e);
                self.read(place, span)
            }
            ExprKind::Call { target, name, name_span, args } => {
                match self.call(target.as_deref(), name, *name_span, args, span) {
                    Some(value) => value,
                    None => {
                        let message = "this method returns nothing";
                        self.lower.error(Diagnostic::error(span, message));
                        self.unknown()
                    }
                }
            }
            ExprKind::New { class, args, hidden } => self.create(class, args, *hidden, span),
            ExprKind::NewArray { element, lengths, more, hidden } => {
                self.create_array(element, lengths, *more, *hidden, span)
            }
            ExprKind::Unary(op, a) => self.unary(op, a, span),
            ExprKind::Binary("&&" | "||", ..) | ExprKind::Choice(..) => self.chosen(e),
            ExprKind::Binary(op, a, b) => {
                let left = self.value_before(a, &[b]);
                let right = self.value(b);
                self.binary(op, left, right, span)
            }
            ExprKind::Assign(op, place, value) => self.assign(*op, place, value, span),
            ExprKind::Step { op, before, place } => self.step(op, *before, place, span),
            ExprKind::Cast(ty, inner) => self.cast(ty, inner, span),
            ExprKind::Unsupported(reason) => self.refuse(span, reason),
        }
    }

    /// Whether an expression is an array, without evaluating it.
    fn is_array(&self, e: &Expr) -> bool {
        matches!(self.static_type(e), Some(Ty::Array(_)))
    }

    /// The type of a chain of names, fields and elements.
    fn static_type(&self, e: &Expr) -> Option<Ty> {
        match &e.kind {
            ExprKind::This => Some(Ty::Class(self.class)),
            ExprKind::Name(name) => {
                if let Some(id) = self.find(name) {
                    return Some(self.types[id.0 as usize].clone());
                }
                let info = self.lower.info(self.class);
                let field = info.fields.iter().find(|f| f.name == *name).map(|f| f.ty.clone());
                let statics = info.statics.iter().find(|s| s.name == *name);
                field.or(statics.map(|s| s.ty.clone()))
            }
            ExprKind::Field(base, name, _) => {
                let class = match (&base.kind, self.static_type(base)) {
                    (_, Some(Ty::Class(c))) => c,
                    (ExprKind::Name(class), None) => self.lower.classes.find(class)?,
                    _ => return None,
                };
                let info = self.lower.info(class);
                let field = info.fields.iter().find(|f| f.name == *name).map(|f| f.ty.clone());
                let statics = info.statics.iter().find(|s| s.name == *name);
                field.or(statics.map(|s| s.ty.clone()))
            }
            ExprKind::Index(base, _) => match self.static_type(base)? {
                Ty::Array(element) => Some(*element),
                _ => None,
            },
            ExprKind::NewArray { .. } => None,
            ExprKind::Call { target, name, args, .. } => self.result_type(target, name, args),
            ExprKind::Cast(ty, _) => self.lower.classes.resolve(ty).ok(),
            _ => None,
        }
    }

    fn result_type(&self, target: &Option<Box<Expr>>, name: &str, args: &[Expr]) -> Option<Ty> {
        let class = match target {
            None => self.class,
            Some(t) => match (&t.kind, self.static_type(t)) {
                (_, Some(Ty::Class(c))) => c,
                (ExprKind::Name(class), None) => self.lower.classes.find(class)?,
                _ => return None,
            },
        };
        let methods = &self.lower.info(class).methods;
        let found = methods.iter().find(|m| m.name == name && m.params.len() == args.len());
        found.map(|m| m.ret.clone())
    }

    fn read(&mut self, place: Place, span: Span) -> Val {
        match place {
            Place::Register(reg, ty) => Val { e: IrExpr::Reg(reg), ty },
            Place::Memory(addr, scalar, ty) => {
                let temp = self.temp(ty.clone(), span);
                self.out.push(InstrKind::Load { dst: Reg::Local(temp), addr, scalar }, span);
                Val { e: IrExpr::local(temp), ty }
            }
            Place::Nowhere => self.unknown(),
        }
    }

    fn write(&mut self, place: &Place, value: IrExpr, span: Span) {
        match place {
            Place::Register(dst, _) => {
                self.out.push(InstrKind::Assign { dst: *dst, value }, span);
            }
            Place::Memory(addr, scalar, _) => {
                let (addr, scalar) = (addr.clone(), *scalar);
                self.out.push(InstrKind::Store { addr, scalar, value }, span);
            }
            Place::Nowhere => {}
        }
    }

    /// The place that an expression names; bases and indices are evaluated.
    fn place(&mut self, e: &'a Expr) -> Place {
        match &e.kind {
            ExprKind::Name(name) => self.named(name, e.span),
            ExprKind::Field(base, name, name_span) => self.field(base, name, *name_span, e.span),
            ExprKind::Index(base, index) => {
                let array = self.value_before(base, &[index]);
                let index = self.converted(index, &Ty::Int(IntKind::INT));
                let Ty::Array(element) = &array.ty else {
                    if array.ty != Ty::Unknown {
                        self.lower.error(Diagnostic::error(base.span, "this is no array"));
                    }
                    return Place::Nowhere;
                };
                let scalar = self.lower.classes.scalar(element);
                let (base, index) = (Box::new(array.e), Box::new(index));
                let addr = IrExpr::Index { base, index, size: scalar.bytes() };
                Place::Memory(addr, scalar, (**element).clone())
            }
            ExprKind::Unsupported(reason) => {
                self.unsupported(e.span, reason.clone());
                Place::Nowhere
            }
            _ => {
                self.lower.error(Diagnostic::error(e.span, "nothing can be kept here"));
                Place::Nowhere
            }
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Place {
        if let Some(id) = self.find(name) {
            return Place::Register(Reg::Local(id), self.types[id.0 as usize].clone());
        }
        let info = self.lower.info(self.class);
        if let Some(s) = info.statics.iter().find(|s| s.name == name) {
            return Place::Register(Reg::Global(s.global), s.ty.clone());
        }
        if let Some(f) = info.fields.iter().find(|f| f.name == name).cloned() {
            let Some(this) = self.this else {
                let message = format!("a static method has no object whose `{name}` is meant");
                self.lower.error(Diagnostic::error(span, message));
                return Place::Nowhere;
            };
            return Place::Memory(offset(IrExpr::local(this), f.offset), f.scalar, f.ty);
        }
        let mut all: Vec<String> = self.scopes.iter().flat_map(|s| s.keys().cloned()).collect();
        all.extend(info.statics.iter().map(|s| s.name.clone()));
        all.extend(info.fields.iter().map(|f| f.name.clone()));
        let error = Diagnostic::error(span, format!("no variable is called `{name}`"));
        self.lower.error(match suggest(name, all.iter().map(String::as_str)) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        });
        Place::Nowhere
    }

    fn field(&mut self, base: &'a Expr, name: &str, name_span: Span, span: Span) -> Place {
        // `C.f`, unless a variable is called `C`.
        if let ExprKind::Name(class) = &base.kind
            && self.static_type(base).is_none()
        {
            if let Some(id) = self.lower.classes.find(class) {
                let statics = &self.lower.info(id).statics;
                if let Some(s) = statics.iter().find(|s| s.name == name) {
                    return Place::Register(Reg::Global(s.global), s.ty.clone());
                }
                self.no_member(id, name, name_span);
                return Place::Nowhere;
            }
            if is_library(class) {
                self.unsupported(span, "a class of the library");
                return Place::Nowhere;
            }
        }
        let object = self.value(base);
        let class = match object.ty {
            Ty::Class(class) => class,
            Ty::Unknown => return Place::Nowhere,
            ref other => {
                let what = self.lower.classes.name(other);
                let message = format!("`{what}` has no field `{name}`");
                self.lower.error(Diagnostic::error(name_span, message));
                return Place::Nowhere;
            }
        };
        let found = self.lower.info(class).fields.iter().find(|f| f.name == name).cloned();
        match found {
            Some(f) => Place::Memory(offset(object.e, f.offset), f.scalar, f.ty),
            None => {
                let statics = self.lower.info(class).statics.iter().find(|s| s.name == name);
                if let Some(s) = statics {
                    return Place::Register(Reg::Global(s.global), s.ty.clone());
                }
                self.no_member(class, name, name_span);
                Place::Nowhere
            }
        }
    }

    fn no_member(&mut self, class: super::types::ClassId, name: &str, span: Span) {
        let info = self.lower.info(class);
        let fields = info.fields.iter().map(|f| f.name.as_str());
        let all = fields.chain(info.statics.iter().map(|s| s.name.as_str()));
        let near = suggest(name, all).map(|n| format!("did you mean `{n}`?"));
        let owner = &self.lower.classes.names[class.0];
        let error = Diagnostic::error(span, format!("`{owner}` has no field `{name}`"));
        self.lower.error(match near {
            Some(near) => error.with_help(near),
            None => error,
        });
    }

    fn assign(&mut self, op: Option<&str>, place: &'a Expr, value: &'a Expr, span: Span) -> Val {
        let place = self.place(place);
        let place = self.fixed(place, value, span);
        let ty = match &place {
            Place::Register(_, ty) | Place::Memory(_, _, ty) => ty.clone(),
            Place::Nowhere => Ty::Unknown,
        };
        let new = match op {
            None => self.converted(value, &ty),
            Some(op) => {
                let old = match &place {
                    Place::Register(r, ty) => Place::Register(*r, ty.clone()),
                    Place::Memory(a, s, ty) => Place::Memory(a.clone(), *s, ty.clone()),
                    Place::Nowhere => Place::Nowhere,
                };
                let old = self.read(old, span);
                let old = if has_effects(value) { self.keep(old, span) } else { old };
                let right = self.value(value);
                let result = self.binary(op, old, right, span);
                self.narrowed(result, &ty)
            }
        };
        self.write(&place, new.clone(), span);
        Val { e: new, ty }
    }

    /// The cast that a compound assignment has built in.
    fn narrowed(&self, value: Val, ty: &Ty) -> IrExpr {
        match (&value.ty, ty) {
            (Ty::Int(from), Ty::Int(to)) if from != to => IrExpr::Convert(*to, Box::new(value.e)),
            _ => value.e,
        }
    }

    /// A place that evaluating a value cannot move.
    fn fixed(&mut self, place: Place, value: &Expr, span: Span) -> Place {
        let Place::Memory(addr, scalar, ty) = place else { return place };
        if !has_effects(value) {
            return Place::Memory(addr, scalar, ty);
        }
        let mut kept = |e: IrExpr, ty: Ty| self.keep(Val { e, ty }, span).e;
        let addr = match addr {
            IrExpr::Offset(base, by) => IrExpr::Offset(Box::new(kept(*base, Ty::Object)), by),
            IrExpr::Index { base, index, size } => {
                let base = Box::new(kept(*base, Ty::Object));
                let index = Box::new(kept(*index, Ty::Int(IntKind::INT)));
                IrExpr::Index { base, index, size }
            }
            other => kept(other, Ty::Object),
        };
        Place::Memory(addr, scalar, ty)
    }

    fn step(&mut self, op: &str, before: bool, place: &'a Expr, span: Span) -> Val {
        let at = self.place(place);
        let (again, ty) = match &at {
            Place::Register(r, ty) => (Place::Register(*r, ty.clone()), ty.clone()),
            Place::Memory(a, s, ty) => (Place::Memory(a.clone(), *s, ty.clone()), ty.clone()),
            Place::Nowhere => return self.unknown(),
        };
        let old = self.read(again, span);
        let old = if before { old } else { self.keep(old, span) };
        let one = Val { e: IrExpr::Int(1), ty: Ty::Int(IntKind::INT) };
        let sign = if op == "++" { "+" } else { "-" };
        let result = self.binary(sign, old.clone(), one, span);
        let new = self.narrowed(result, &ty);
        self.write(&at, new.clone(), span);
        if before { Val { e: new, ty } } else { old }
    }

    fn unary(&mut self, op: &str, a: &'a Expr, span: Span) -> Val {
        if op == "!" {
            let value = self.converted(a, &Ty::Bool);
            return Val { e: IrExpr::Not(Box::new(value)), ty: Ty::Bool };
        }
        let value = self.value(a);
        let Ty::Int(kind) = value.ty else {
            if value.ty != Ty::Unknown {
                self.lower.error(Diagnostic::error(span, "this is no number"));
            }
            return self.unknown();
        };
        let promoted = promote(kind, kind);
        let inner = Box::new(self.narrowed(value, &Ty::Int(promoted)));
        let e = match op {
            "-" => IrExpr::Unary(UnOp::Neg, promoted, inner),
            "~" => IrExpr::Unary(UnOp::BitNot, promoted, inner),
            _ => *inner,
        };
        Val { e, ty: Ty::Int(promoted) }
    }

    fn binary(&mut self, op: &str, a: Val, b: Val, span: Span) -> Val {
        let wrong = |code: &mut Self| {
            if a.ty != Ty::Unknown && b.ty != Ty::Unknown {
                let (x, y) = (code.lower.classes.name(&a.ty), code.lower.classes.name(&b.ty));
                let message = format!("`{op}` does not apply to `{x}` and `{y}`");
                code.lower.error(Diagnostic::error(span, message));
            }
            code.unknown()
        };
        let compare = match op {
            "==" => Some(CmpOp::Eq),
            "!=" => Some(CmpOp::Ne),
            "<" => Some(CmpOp::Lt),
            "<=" => Some(CmpOp::Le),
            ">" => Some(CmpOp::Gt),
            ">=" => Some(CmpOp::Ge),
            _ => None,
        };
        match (&a.ty, &b.ty, compare) {
            (Ty::Int(x), Ty::Int(y), Some(cmp)) => {
                let kind = promote(*x, *y);
                let ty = Ty::Int(kind);
                let (a, b) = (self.narrowed(a, &ty), self.narrowed(b, &ty));
                let e = IrExpr::Cmp(cmp, Some(kind), Box::new(a), Box::new(b));
                Val { e, ty: Ty::Bool }
            }
            (Ty::Bool, Ty::Bool, Some(cmp)) if cmp.is_equality() => {
                let e = IrExpr::Cmp(cmp, Some(IntKind::INT), Box::new(a.e), Box::new(b.e));
                Val { e, ty: Ty::Bool }
            }
            (x, y, Some(cmp)) if cmp.is_equality() && x.is_reference() && y.is_reference() => {
                let classes = &self.lower.classes;
                if !classes.assignable(x, y) && !classes.assignable(y, x) {
                    return wrong(self);
                }
                let e = IrExpr::Cmp(cmp, None, Box::new(a.e), Box::new(b.e));
                Val { e, ty: Ty::Bool }
            }
            (Ty::Bool, Ty::Bool, None) if matches!(op, "&" | "|" | "^") => {
                let op = match op {
                    "&" => BinOp::And,
                    "|" => BinOp::Or,
                    _ => BinOp::Xor,
                };
                let e = IrExpr::Binary(op, IntKind::INT, Box::new(a.e), Box::new(b.e));
                Val { e, ty: Ty::Bool }
            }
            (Ty::Int(x), Ty::Int(y), None) => {
                let shift = matches!(op, "<<" | ">>" | ">>>");
                let kind = if shift { promote(*x, *x) } else { promote(*x, *y) };
                let ty = Ty::Int(kind);
                let (a, b) = (self.narrowed(a, &ty), self.narrowed(b, &ty));
                self.arithmetic(op, kind, a, b, span)
            }
            _ => wrong(self),
        }
    }

    fn arithmetic(&mut self, op: &str, kind: IntKind, a: IrExpr, b: IrExpr, span: Span) -> Val {
        let ty = Ty::Int(kind);
        let make = |op, a, b| IrExpr::Binary(op, kind, Box::new(a), Box::new(b));
        let bits = i64::from(kind.bits);
        let distance = |b| make(BinOp::And, b, IrExpr::Int(bits - 1));
        let e = match op {
            "+" => make(BinOp::Add, a, b),
            "-" => make(BinOp::Sub, a, b),
            "*" => make(BinOp::Mul, a, b),
            "&" => make(BinOp::And, a, b),
            "|" => make(BinOp::Or, a, b),
            "^" => make(BinOp::Xor, a, b),
            "<<" => make(BinOp::Shl, a, distance(b)),
            ">>" => make(BinOp::Shr, a, distance(b)),
            ">>>" => {
                let unsigned = IntKind { signed: false, ..kind };
                let a = IrExpr::Convert(unsigned, Box::new(a));
                let moved =
                    IrExpr::Binary(BinOp::Shr, unsigned, Box::new(a), Box::new(distance(b)));
                IrExpr::Convert(kind, Box::new(moved))
            }
            "/" | "%" => return self.divide(op, kind, a, b, span),
            _ => return self.refuse(span, "this operator"),
        };
        Val { e, ty }
    }

    /// The least number divided by -1 wraps around, so that case is taken apart.
    fn divide(&mut self, op: &str, kind: IntKind, a: IrExpr, b: IrExpr, span: Span) -> Val {
        let ty = Ty::Int(kind);
        let ir = if op == "/" { BinOp::Div } else { BinOp::Rem };
        let divided = IrExpr::Binary(ir, kind, Box::new(a.clone()), Box::new(b.clone()));
        if matches!(b, IrExpr::Int(n) if n != -1) {
            return self.keep(Val { e: divided, ty }, span);
        }
        let temp = self.temp(ty.clone(), span);
        let (minus, plain, after) = (self.out.block(), self.out.block(), self.out.block());
        let cond = IrExpr::Cmp(CmpOp::Eq, Some(kind), Box::new(b), Box::new(IrExpr::Int(-1)));
        self.out.end(Terminator::Branch { cond, then: minus, els: plain }, span);
        self.out.start(minus, span);
        let negated = match ir {
            BinOp::Div => IrExpr::Unary(UnOp::Neg, kind, Box::new(a)),
            _ => IrExpr::Int(0),
        };
        self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value: negated }, span);
        self.out.end(Terminator::Goto(after), span);
        self.out.start(plain, span);
        self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value: divided }, span);
        self.out.start(after, span);
        Val { e: IrExpr::local(temp), ty }
    }

    /// A value that depends on a condition: `a && b`, `c ? a : b`.
    fn chosen(&mut self, e: &'a Expr) -> Val {
        let span = e.span;
        let (yes, no, after) = (self.out.block(), self.out.block(), self.out.block());
        let ExprKind::Choice(cond, then, els) = &e.kind else {
            let temp = self.temp(Ty::Bool, span);
            self.condition(e, yes, no);
            for (block, value) in [(yes, 1), (no, 0)] {
                self.out.start(block, span);
                let value = IrExpr::Int(value);
                self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value }, span);
                self.out.end(Terminator::Goto(after), span);
            }
            self.out.start(after, span);
            return Val { e: IrExpr::local(temp), ty: Ty::Bool };
        };
        self.condition(cond, yes, no);
        self.out.start(yes, span);
        let first = self.value(then);
        // The type is that of the first that has one.
        let temp = self.temp(first.ty.clone(), span);
        self.store_temp(temp, first.e, then.span);
        self.out.end(Terminator::Goto(after), span);
        self.out.start(no, span);
        let second = self.value(els);
        let ty = match (&first.ty, &second.ty) {
            (Ty::Null | Ty::Unknown, other) => other.clone(),
            (Ty::Int(a), Ty::Int(b)) => Ty::Int(promote(*a, *b)),
            (ty, _) => ty.clone(),
        };
        self.types[temp.0 as usize] = ty.clone();
        self.vars[temp.0 as usize].ty = self.lower.classes.type_id(&ty);
        let second = self.convert(second, &ty, els);
        self.store_temp(temp, second, els.span);
        self.out.start(after, span);
        Val { e: IrExpr::local(temp), ty }
    }

    fn store_temp(&mut self, temp: VarId, value: IrExpr, span: Span) {
        self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value }, span);
    }

    /// Goes to one of two blocks.
    pub(super) fn condition(&mut self, e: &'a Expr, yes: BlockId, no: BlockId) {
        match &e.kind {
            ExprKind::Binary("&&", a, b) => {
                let next = self.out.block();
                self.condition(a, next, no);
                self.out.start(next, b.span);
                self.condition(b, yes, no);
            }
            ExprKind::Binary("||", a, b) => {
                let next = self.out.block();
                self.condition(a, yes, next);
                self.out.start(next, b.span);
                self.condition(b, yes, no);
            }
            ExprKind::Unary("!", a) => self.condition(a, no, yes),
            _ => {
                let cond = self.converted(e, &Ty::Bool);
                self.out.end(Terminator::Branch { cond, then: yes, els: no }, e.span);
            }
        }
    }

    fn cast(&mut self, ty: &crate::ast::TypeName, inner: &'a Expr, span: Span) -> Val {
        let to = self.lower.resolve_type(ty);
        let value = self.value(inner);
        match (&value.ty, &to) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => Val { e: value.e, ty: to },
            (Ty::Int(_), Ty::Int(_)) => Val { e: self.narrowed(value, &to), ty: to },
            (Ty::Object, Ty::Class(class)) => {
                let class = *class;
                let kept = self.keep(value, inner.span);
                self.class_cast(kept.e.clone(), class, span);
                Val { e: kept.e, ty: to }
            }
            (from, to_ty) if self.lower.classes.assignable(from, to_ty) => {
                Val { e: value.e, ty: to }
            }
            (Ty::Object, Ty::Array(_)) => self.refuse(span, "a cast to an array"),
            (from, _) => {
                let (from, to) = (self.lower.classes.name(from), self.lower.classes.name(&to));
                let message = format!("`{from}` is never a `{to}`");
                self.lower.error(Diagnostic::error(span, message));
                self.unknown()
            }
        }
    }

    /// A null check, as a call does one.
    pub(super) fn not_null(&mut self, e: &IrExpr, span: Span) {
        let null = Box::new(IrExpr::Null);
        let cond = IrExpr::Cmp(CmpOp::Ne, None, Box::new(e.clone()), null);
        self.check(CheckKind::NullDeref, cond, span);
    }
}

/// The type in which two integers are combined.
fn promote(a: IntKind, b: IntKind) -> IntKind {
    if a.bits == 64 || b.bits == 64 { IntKind::LONG } else { IntKind::INT }
}
