//! Calls through pointers: a branch over the functions that the pointer may lead to, each of which is
//! called directly. So nobody behind the front end knows that there are pointers to functions.
//!
//! A null pointer fails its check, and so does a pointer to something that cannot be called like
//! this: a function of another type, or no function at all. What C calls compatible is taken a
//! little further, as all compilers do: pointers are passed alike whatever they lead to, numbers with
//! and without a sign, and a result may be ignored.

use lang_c::ast::Expression;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::CheckKind;
use trellis_program::ir::{CmpOp, Cond, Expr, InstrKind, Reg, Terminator};
use trellis_program::source::Span;
use trellis_program::types::{FuncType, Type, TypeId};

use super::expr::Want;
use super::{Lower, Val, fold};

/// A call that is about to be made.
struct Indirect {
    args: Vec<Expr>,
    /// The types of the arguments.
    types: Vec<TypeId>,
    /// What the pointer says of the function.
    ty: FuncType,
    dst: Option<Reg>,
    /// Where the call stands in the text.
    call: CSpan,
    at: Span,
}

impl<'a> Lower<'a> {
    /// `f(x)`, `(*f)(x)`, `o->cmp(a, b)`, `ops[i](x)`.
    pub fn indirect_call(
        &mut self,
        callee: &'a Node<Expression>,
        arguments: &'a [Node<Expression>],
        (call, span): (CSpan, CSpan),
        want: Want,
        discard: bool,
    ) -> Val {
        let at = self.at(span);
        let first = self.f.builder.mark();
        let pointer = self.rvalue(callee);
        let pointee = self.types.pointee(pointer.ty).map(|p| (p, self.types.get(p).clone()));
        let Some((pointee, Type::Func(ty))) = pointee else {
            if self.is_unknown(pointer.ty) {
                arguments.iter().for_each(|a| drop(self.rvalue(a)));
                return self.unsupported(at, "a call through a pointer whose type is not known");
            }
            let (shown, at) = (self.types.name(pointer.ty), self.at(callee.span));
            return self.error(at, format!("a value of type `{shown}` cannot be called"));
        };
        if ty.has_prototype && !fits(&ty, arguments.len()) {
            let shown = self.types.name(pointee);
            return self.wrong_count(&shown, ty.params.len(), arguments.len(), callee.span);
        }
        let (mut args, mut marks) = (Vec::new(), vec![first]);
        for (i, a) in arguments.iter().enumerate() {
            marks.push(self.f.builder.mark());
            args.push(self.passed(a, ty.params.get(i).copied()));
        }
        let values = std::iter::once(&pointer.e).chain(args.iter().map(|a| &a.e)).map(Some);
        let operands: Vec<_> = marks.into_iter().zip(values).collect();
        self.unsequenced(&operands, at);
        let ret = ty.ret;
        let dst = self.result_place(ret, want, discard, at);
        let types = args.iter().map(|a| a.ty).collect();
        let args = args.into_iter().map(|a| a.e).collect();
        let indirect = Indirect { args, types, ty: *ty, dst, call, at };
        let pointer = self.in_register(pointer, callee.span).e;
        self.branch_over(&pointer, pointee, &indirect);
        self.result_value(ret, dst, discard)
    }

    /// An argument: of the type of its parameter, or as one behind all parameters is passed.
    pub fn passed(&mut self, a: &'a Node<Expression>, param: Option<TypeId>) -> Val {
        match param {
            Some(ty) => Val { e: self.argument(a, ty), ty },
            None => self.rest_value(a),
        }
    }

    fn branch_over(&mut self, pointer: &Expr, pointee: TypeId, call: &Indirect) {
        let at = call.at;
        let compare = |op, to| fold::compare(op, None, pointer.clone(), to);
        let cond = Cond::Expr(compare(CmpOp::Ne, Expr::Null));
        self.emit(InstrKind::Assert { kind: CheckKind::NullDeref, cond }, at);
        let join = self.f.builder.block();
        let alike = |f: &usize| self.is_called_alike(*f, call);
        for function in self.pointed.iter().copied().filter(alike).collect::<Vec<_>>() {
            let address = self.function_address(function);
            let [here, next] = [(); 2].map(|()| self.f.builder.block());
            self.end_branch(compare(CmpOp::Eq, address), here, next, at);
            self.f.builder.start(here, at);
            self.call_one(function, call);
            self.f.builder.end(Terminator::Goto(join), at);
            self.f.builder.start(next, at);
        }
        if !self.is_closed() {
            let address = self.foreign_function(pointee, at);
            let [here, next] = [(); 2].map(|()| self.f.builder.block());
            self.end_branch(compare(CmpOp::Eq, address), here, next, at);
            self.f.builder.start(here, at);
            self.unsupported(at, "a call of a function that only the caller knows");
            self.f.builder.end(Terminator::Abort, at);
            self.f.builder.start(next, at);
        }
        let cond = Cond::Expr(Expr::Int(0));
        self.emit(InstrKind::Assert { kind: CheckKind::BadCall, cond }, at);
        self.f.builder.end(Terminator::Abort, at);
        self.f.builder.start(join, at);
    }

    /// The call of one function, as if it had been written.
    fn call_one(&mut self, function: usize, call: &Indirect) {
        let at = call.at;
        let function = self.stand_in(function);
        let f = &self.functions[function];
        if f.definition.is_none() && f.proc.is_none() {
            let reason = format!("a call of `{}`, which has no body and no contract", f.name);
            self.unsupported(at, reason);
            return;
        }
        let Some(signature) = f.signature.clone() else { return };
        let proc = self.need_proc(function);
        let dst = call.dst.filter(|_| signature.ret != self.ty.void);
        let known = signature.params.len().min(call.args.len());
        let params = signature.params.iter().map(|p| p.ty);
        let passed = call.args.iter().zip(&call.types).map(|(e, ty)| (e.clone(), *ty));
        let mut args: Vec<Expr> =
            passed.zip(params).map(|((e, from), to)| self.resigned(e, from, to)).collect();
        if signature.is_variadic && self.functions[function].definition.is_some() {
            let rest = call.args[known..].iter().zip(&call.types[known..]);
            let rest: Vec<Val> = rest.map(|(e, ty)| Val { e: e.clone(), ty: *ty }).collect();
            args.push(self.rest_argument(&rest, at));
        }
        self.check_error_call(function, at);
        self.emit(InstrKind::Call { dst, proc, args }, at);
        if let Some(dst) = dst.filter(|_| !self.is_record(signature.ret)) {
            let value = Val { e: Expr::Reg(dst), ty: signature.ret };
            let value = self.loosened(function, call.call, value, at);
            let value = self.resigned(value.e, value.ty, call.ty.ret);
            self.set_register(dst, value, at);
        }
    }

    /// A number of the same bits with or without a sign.
    fn resigned(&self, e: Expr, from: TypeId, to: TypeId) -> Expr {
        match (self.int_kind(from), self.int_kind(to)) {
            (Some(from), Some(to)) if from != to => fold::convert(to, from, e),
            _ => e,
        }
    }

    /// Whether a function can be called like this.
    fn is_called_alike(&self, function: usize, call: &Indirect) -> bool {
        let Some(signature) = &self.functions[function].signature else { return false };
        let same = |a: TypeId, b: TypeId| self.compatible(a, b) || self.types.passed_alike(a, b);
        let params: Vec<TypeId> = signature.params.iter().map(|p| p.ty).collect();
        let known = if call.ty.has_prototype { &call.ty.params } else { &call.types };
        let is_scalar = self.types.scalar(signature.ret).is_some();
        let result = same(signature.ret, call.ty.ret) || (call.ty.ret == self.ty.void && is_scalar);
        let variadic = !call.ty.has_prototype || call.ty.is_variadic == signature.is_variadic;
        let open = !signature.has_prototype && self.functions[function].definition.is_none();
        let same_params =
            params.len() == known.len() && params.iter().zip(known).all(|(a, b)| same(*a, *b));
        result && variadic && (open || same_params)
    }
}

/// Whether so many arguments can be passed.
fn fits(ty: &FuncType, count: usize) -> bool {
    if ty.is_variadic { count >= ty.params.len() } else { count == ty.params.len() }
}
