//! Calls, new objects and arrays, casts.

use std::sync::Arc;

use trellis_hol::{Kind, Op, Symbol, SymbolId, Term as HolTerm, Type as HolType};
use trellis_program::ir::{BinOp, CmpOp, Cond, Expr as IrExpr, InstrKind, Reg};
use trellis_program::source::{Diagnostic, Span, suggest};
use trellis_program::spec::{Formula, HolClause, HolMeaning, Term};
use trellis_program::{CheckKind, IntKind};

use super::MethodInfo;
use super::expr::Val;
use super::method::Code;
use super::types::{ClassId, Ty, is_library};
use crate::ast::{Expr, ExprKind, TypeName};

impl<'a> Code<'_, 'a> {
    /// A call; `None` if it returns nothing.
    pub(super) fn call(
        &mut self,
        target: Option<&'a Expr>,
        name: &str,
        name_span: Span,
        args: &'a [Expr],
        span: Span,
    ) -> Option<Val> {
        let unknown = Some(Val { e: IrExpr::Int(0), ty: Ty::Unknown });
        let (class, object) = match target {
            None => (self.class, self.this.map(IrExpr::local)),
            Some(e) => match self.target(e) {
                Some(found) => found,
                None => {
                    self.unsupported(span, format!("a call of `{name}`, a method of the library"));
                    return unknown;
                }
            },
        };
        let Some(method) = self.find_method(class, name, name_span, args) else { return unknown };
        let mut passed = Vec::new();
        if !method.is_static {
            let Some(object) = object else {
                let message = format!("`{name}` needs an object to be called on");
                self.lower.error(Diagnostic::error(name_span, message));
                return unknown;
            };
            passed.push(object);
        }
        passed.extend(self.arguments(args, &method));
        // The object is looked at after the arguments are evaluated.
        if !method.is_static && target.is_some() {
            self.not_null(&passed[0].clone(), span);
        }
        let dst = (method.ret != Ty::Void).then(|| self.temp(method.ret.clone(), span));
        let call = InstrKind::Call { dst: dst.map(Reg::Local), proc: method.proc, args: passed };
        self.out.push(call, span);
        dst.map(|dst| Val { e: IrExpr::local(dst), ty: method.ret })
    }

    /// The class of what a method is called on, and the object; none for the library.
    fn target(&mut self, e: &'a Expr) -> Option<(ClassId, Option<IrExpr>)> {
        if let ExprKind::Name(name) = &e.kind
            && self.find(name).is_none()
            && let Some(class) = self.lower.classes.find(name)
        {
            let info = self.lower.info(self.class);
            let is_field = info.fields.iter().any(|f| f.name == *name)
                || info.statics.iter().any(|s| s.name == *name);
            if !is_field {
                return Some((class, None));
            }
        }
        let mut root = e;
        while let ExprKind::Field(base, ..) = &root.kind {
            root = base;
        }
        if let ExprKind::Name(name) = &root.kind
            && is_library(name)
        {
            return None;
        }
        let value = self.value(e);
        match value.ty {
            Ty::Class(class) => {
                let temp = self.temp(Ty::Class(class), e.span);
                let dst = Reg::Local(temp);
                self.out.push(InstrKind::Assign { dst, value: value.e }, e.span);
                Some((class, Some(IrExpr::local(temp))))
            }
            _ => None,
        }
    }

    fn find_method(
        &mut self,
        class: ClassId,
        name: &str,
        span: Span,
        args: &[Expr],
    ) -> Option<MethodInfo> {
        let methods = &self.lower.info(class).methods;
        let named: Vec<_> = methods.iter().filter(|m| m.name == name).collect();
        let fitting: Vec<_> =
            named.iter().filter(|m| m.params.len() == args.len()).copied().cloned().collect();
        match (&fitting[..], named.is_empty()) {
            ([one], _) => Some(one.clone()),
            ([], false) => {
                let wanted = named[0].params.len();
                let message = format!("`{name}` takes {wanted} arguments, not {}", args.len());
                self.lower.error(Diagnostic::error(span, message));
                None
            }
            ([], true) => {
                let near = suggest(name, methods.iter().map(|m| m.name.as_str()));
                let near = near.map(|n| format!("did you mean `{n}`?"));
                let owner = &self.lower.classes.names[class.0];
                let message = format!("`{owner}` has no method `{name}`");
                let error = Diagnostic::error(span, message);
                self.lower.error(match near {
                    Some(near) => error.with_help(near),
                    None => error,
                });
                None
            }
            _ => {
                self.unsupported(span, format!("a choice between methods called `{name}`"));
                None
            }
        }
    }

    /// Arguments from left to right, none of which a later one can change.
    fn arguments(&mut self, args: &'a [Expr], method: &MethodInfo) -> Vec<IrExpr> {
        let mut out = Vec::new();
        for (i, (arg, ty)) in args.iter().zip(&method.params).enumerate() {
            let value = self.converted(arg, ty);
            out.push(match i + 1 < args.len() && !matches!(value, IrExpr::Int(_) | IrExpr::Null) {
                true => {
                    let temp = self.temp(ty.clone(), arg.span);
                    self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value }, arg.span);
                    IrExpr::local(temp)
                }
                false => value,
            });
        }
        out
    }

    pub(super) fn create(
        &mut self,
        class: &TypeName,
        args: &'a [Expr],
        hidden: bool,
        span: Span,
    ) -> Val {
        let ty = self.lower.resolve_type(class);
        let Ty::Class(id) = ty else {
            if class.name != "Object" && ty != Ty::Unknown {
                self.unsupported(span, "an object of a class of the library");
            }
            let temp = self.temp(Ty::Object, span);
            let alloc = InstrKind::Alloc {
                dst: Reg::Local(temp),
                size: IrExpr::Int(8),
                ty: None,
                zeroed: true,
            };
            self.out.push(alloc, span);
            self.mark_hidden(temp, hidden, span);
            return Val { e: IrExpr::local(temp), ty: Ty::Object };
        };
        let has_constructor = self.lower.info(id).methods.iter().any(|m| m.name == class.name);
        let temp = self.temp(ty.clone(), span);
        if has_constructor {
            if hidden {
                self.unsupported(span, "a hidden object with a constructor");
            }
            let name = class.name.clone();
            if let Some(method) = self.find_method(id, &name, class.span, args) {
                let args = self.arguments(args, &method);
                let dst = Some(Reg::Local(temp));
                self.out.push(InstrKind::Call { dst, proc: method.proc, args }, span);
            }
            return Val { e: IrExpr::local(temp), ty };
        }
        if let Some(arg) = args.first() {
            let message = format!("`{}` has no constructor with arguments", class.name);
            self.lower.error(Diagnostic::error(arg.span, message));
        }
        self.allocate(temp, id, span, hidden);
        Val { e: IrExpr::local(temp), ty }
    }

    pub(super) fn create_array(
        &mut self,
        element: &TypeName,
        lengths: &'a [Expr],
        more: u32,
        hidden: bool,
        span: Span,
    ) -> Val {
        let mut ty = self.lower.resolve_type(element);
        for _ in 0..more {
            ty = Ty::Array(Box::new(ty));
        }
        let [length] = lengths else {
            self.unsupported(span, "an array with several dimensions");
            return Val { e: IrExpr::Null, ty: Ty::Unknown };
        };
        let count = self.converted(length, &Ty::Int(IntKind::INT));
        let kept = self.temp(Ty::Int(IntKind::INT), length.span);
        self.out.push(InstrKind::Assign { dst: Reg::Local(kept), value: count }, length.span);
        let count = IrExpr::local(kept);
        let zero = Box::new(IrExpr::Int(0));
        let enough = IrExpr::Cmp(CmpOp::Ge, Some(IntKind::INT), Box::new(count.clone()), zero);
        self.check(CheckKind::NegativeSize, enough, length.span);
        let bytes = self.lower.classes.bytes(&ty);
        let wide = IrExpr::Convert(IntKind::SIZE, Box::new(count));
        let bytes = Box::new(IrExpr::Int(bytes.into()));
        let size = IrExpr::Binary(BinOp::Mul, IntKind::SIZE, Box::new(wide), bytes);
        let element = self.lower.classes.type_id(&ty);
        let array = Ty::Array(Box::new(ty));
        let temp = self.temp(array.clone(), span);
        let dst = Reg::Local(temp);
        self.out.push(InstrKind::Alloc { dst, size, ty: Some(element), zeroed: true }, span);
        self.mark_hidden(temp, hidden, span);
        Val { e: IrExpr::local(temp), ty: array }
    }

    /// `x = null | x : C` must hold.
    pub(super) fn class_cast(&mut self, value: IrExpr, class: ClassId, span: Span) {
        let ty = self.lower.classes.types[class.0];
        let at = trellis_hol::At::default();
        let symbol = |n, ty| HolTerm { kind: Kind::Symbol(SymbolId(n)), ty, at };
        let set = HolType::set(HolType::Obj);
        let sides = vec![symbol(0, HolType::Obj), symbol(1, set.clone())];
        let term = HolTerm { kind: Kind::Op(Op::Element, sides), ty: HolType::Bool, at };
        let name = self.lower.classes.names[class.0].clone();
        let symbols = vec![
            Symbol { name: "x".into(), ty: HolType::Obj, definition: None },
            Symbol { name, ty: set, definition: None },
        ];
        let meanings = vec![HolMeaning::Argument(0), HolMeaning::Class(ty)];
        let formula = trellis_hol::Formula::new(symbols, term);
        let clause = HolClause { formula, meanings, origin: span };
        let argument = match &value {
            IrExpr::Reg(r) => Term::Reg(*r),
            _ => Term::Null,
        };
        let cond = Cond::Spec(Formula::Hol(Arc::new(clause), vec![argument]));
        self.out.push(InstrKind::Assert { kind: CheckKind::ClassCast, cond }, span);
        // Tells the enumeration of heaps what an `Object` may be.
        self.out.push(InstrKind::Retype { ptr: value, ty }, span);
    }
}
