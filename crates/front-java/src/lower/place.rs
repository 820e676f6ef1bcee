//! Places: variables, fields, elements; reading, writing and assigning to them.

use trellis_program::ir::{Expr as IrExpr, InstrKind, Reg};
use trellis_program::source::{Diagnostic, Span, suggest};
use trellis_program::{IntKind, Scalar};

use super::expr::{Val, has_effects, offset};
use super::method::Code;
use super::types::{ClassId, Ty, is_library};
use crate::ast::{Expr, ExprKind};

/// Where a value can be kept.
pub(crate) enum Place {
    Register(Reg, Ty),
    Memory(IrExpr, Scalar, Ty),
    /// Complained about already.
    Nowhere,
}

impl<'a> Code<'_, 'a> {
    /// Whether an expression is an array, without evaluating it.
    pub(super) fn is_array(&self, e: &Expr) -> bool {
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

    pub(super) fn read(&mut self, place: Place, span: Span) -> Val {
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
    pub(super) fn place(&mut self, e: &'a Expr) -> Place {
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
                let size = self.lower.classes.bytes(element);
                let addr = IrExpr::Index { base, index, size };
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

    fn no_member(&mut self, class: ClassId, name: &str, span: Span) {
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

    /// An assignment; its value is kept if it is wanted, for what it is made of may just have been
    /// changed.
    pub(super) fn assign(
        &mut self,
        op: Option<&str>,
        place: &'a Expr,
        value: &'a Expr,
        span: Span,
        wanted: bool,
    ) -> Val {
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
        let mut new = Val { e: new, ty };
        if wanted {
            new = self.keep(new, span);
        }
        self.write(&place, new.e.clone(), span);
        new
    }

    /// The cast that a compound assignment has built in.
    pub(super) fn narrowed(&self, value: Val, ty: &Ty) -> IrExpr {
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

    /// `++a` and its like.
    pub(super) fn step(
        &mut self,
        op: &str,
        before: bool,
        place: &'a Expr,
        span: Span,
        wanted: bool,
    ) -> Val {
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
        let mut new = Val { e: self.narrowed(result, &ty), ty };
        if wanted && before {
            new = self.keep(new, span);
        }
        self.write(&at, new.e.clone(), span);
        if before { new } else { old }
    }
}
