//! Calls of functions that the unit defines or gives a contract.

use lang_c::ast::{self, Expression, UnaryOperator};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::checks::{CheckKind, is_error_function};
use trellis_program::ir::{Cond, Expr, InstrKind, Reg};
use trellis_program::source::{Diagnostic, Span, suggest};
use trellis_program::types::TypeId;

use super::expr::Want;
use super::scope::Symbol;
use super::{Lower, Val, known};
use crate::models::on_open_stream;

impl<'a> Lower<'a> {
    /// A call; with `discard`, nobody uses the result.
    pub fn call(
        &mut self,
        call: &'a Node<ast::CallExpression>,
        span: CSpan,
        want: Want,
        discard: bool,
    ) -> Val {
        let at = self.at(span);
        if self.in_ghost(span) {
            return self.error(at, "ghost code cannot call functions");
        }
        let (whole, callee) = (&*call.node.callee, strip_address(&call.node.callee));
        let arguments = &call.node.arguments;
        let Expression::Identifier(id) = &callee.node else {
            return self.indirect_call(callee, arguments, (call.span, span), want, discard);
        };
        let name = &id.node.name;
        let function = match self.scopes.lookup(name) {
            Some(Symbol::Function(f)) => Some(f),
            Some(_) => {
                return self.indirect_call(whole, arguments, (call.span, span), want, discard);
            }
            None => None,
        };
        let has_body = function.is_some_and(|f| self.functions[f].definition.is_some());
        // A body that a program gives to what verifiers know is for compiling it.
        if (!has_body || is_error_function(name) || known::is_input(name))
            && let Some(value) = self.known_call(name, arguments, span, want, discard)
        {
            if function.is_none() {
                self.warn_undeclared(name, at);
            }
            return value;
        }
        if let Some((f, others)) = self.on_open_stream(name, arguments) {
            return self.direct_call(f, callee.span, others, span, want, discard);
        }
        match function {
            Some(f) => {
                let value = self.direct_call(f, callee.span, arguments, span, want, discard);
                if discard { value } else { self.loosened(f, call.span, value, at) }
            }
            None => {
                let f = self.undeclared_function(name, callee.span);
                self.direct_call(f, callee.span, arguments, span, want, discard)
            }
        }
    }

    /// The model of a function for a stream that is open for sure, where the last argument is one,
    /// and the other arguments.
    fn on_open_stream(
        &self,
        name: &str,
        arguments: &'a [Node<Expression>],
    ) -> Option<(usize, &'a [Node<Expression>])> {
        let (stream, others) = arguments.split_last()?;
        let model = on_open_stream(name).filter(|_| self.is_stream(stream))?;
        match self.linked(&model) {
            Some(Symbol::Function(f)) => Some((f, others)),
            _ => None,
        }
    }

    /// A function that is called without a declaration returns `int`, as C once said.
    fn undeclared_function(&mut self, name: &str, span: CSpan) -> usize {
        let at = self.at(span);
        self.warn_undeclared(name, at);
        let int = self.ty.int;
        let function = match self.linked(name) {
            Some(Symbol::Function(f)) => f,
            _ => self.implicit_function(name, at),
        };
        let f = &self.functions[function];
        let is_model = self.whole.units[f.unit].wanted.is_some();
        if !is_model && f.signature.as_ref().is_some_and(|s| s.ret != int) {
            let reason = format!("a call of `{name}`, which another file defines otherwise");
            self.unsupported(at, reason);
        }
        self.scopes.declare_in_file(name, Symbol::Function(function));
        function
    }

    fn warn_undeclared(&mut self, name: &str, at: trellis_program::Span) {
        let is_internal = self.is_model() || name.starts_with("__");
        let message = format!("`{name}` is called without a declaration");
        if is_internal || self.lasting.iter().any(|d| d.message == message) {
            return;
        }
        let mut warning = Diagnostic::warning(at, message);
        let functions = self.functions.iter().map(|f| f.name.as_str());
        let known: Vec<&str> = known::names().collect();
        let is_known = known.contains(&name) || self.linked(name).is_some();
        let near = suggest(name, functions.chain(known)).filter(|_| !is_known);
        if let Some(near) = near {
            warning = warning.with_help(format!("did you mean `{near}`?"));
        }
        self.lasting.push(warning);
    }

    pub(super) fn direct_call(
        &mut self,
        function: usize,
        callee: CSpan,
        arguments: &'a [Node<Expression>],
        span: CSpan,
        want: Want,
        discard: bool,
    ) -> Val {
        let at = self.at(span);
        let f = &self.functions[function];
        let name = f.name.clone();
        let usable = f.definition.is_some() || f.proc.is_some();
        let Some(signature) = f.signature.clone() else {
            return self.unsupported(at, format!("a call of `{name}`, whose type is not known"));
        };
        let is_defined = f.definition.is_some();
        let expected = signature.params.len();
        let checked = signature.has_prototype || is_defined;
        let enough = if signature.is_variadic {
            arguments.len() >= expected
        } else {
            arguments.len() == expected
        };
        if checked && !enough {
            return self.wrong_count(&name, expected, arguments.len(), callee);
        }
        let (mut args, mut marks, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for (i, a) in arguments.iter().enumerate() {
            marks.push(self.f.builder.mark());
            match signature.params.get(i) {
                Some(p) => args.push(self.argument(a, p.ty)),
                None => rest.push(self.rest_value(a)),
            }
        }
        let values = args.iter().chain(rest.iter().map(|v| &v.e)).map(Some);
        let operands: Vec<_> = marks.into_iter().zip(values).collect();
        self.unsequenced(&operands, at);
        if !usable {
            let reason = format!("a call of `{name}`, which has no body and no contract");
            self.unsupported(at, reason);
            return self.any_result(signature.ret, at);
        }
        self.check_room(function, arguments, &args, at);
        let proc = self.need_proc(function);
        let ret = signature.ret;
        if signature.is_variadic && is_defined {
            args.push(self.rest_argument(&rest, at));
        }
        let dst = self.result_place(ret, want, discard, at);
        self.check_error_call(function, at);
        self.emit(InstrKind::Call { dst, proc, args }, at);
        self.result_value(ret, dst, discard)
    }

    /// To call the error function is an error, whatever it does.
    pub(super) fn check_error_call(&mut self, function: usize, at: Span) {
        if is_error_function(&self.functions[function].name) {
            let cond = Cond::Expr(Expr::Int(0));
            self.emit(InstrKind::Assert { kind: CheckKind::ErrorCall, cond }, at);
        }
    }

    /// Where a call leaves its result.
    pub fn result_place(
        &mut self,
        ret: TypeId,
        want: Want,
        discard: bool,
        at: trellis_program::Span,
    ) -> Option<Reg> {
        if ret == self.ty.void || (discard && !self.is_record(ret)) {
            None
        } else if self.types.scalar(ret).is_some() {
            Some(match want.dst {
                Some(d) if want.takes(self, ret) => d,
                _ => self.temp(ret, at),
            })
        } else {
            Some(self.temp_object(ret, at))
        }
    }

    /// The result of a call, from where it was left.
    pub fn result_value(&self, ret: TypeId, dst: Option<Reg>, discard: bool) -> Val {
        let e = match dst {
            Some(reg) if self.is_record(ret) => Expr::Addr(reg),
            Some(reg) => Expr::Reg(reg),
            None => Expr::Int(0),
        };
        Val { e, ty: if discard && dst.is_none() { self.ty.void } else { ret } }
    }

    /// A value of a result type after an unsupported call.
    fn any_result(&mut self, ty: TypeId, at: trellis_program::Span) -> Val {
        if ty == self.ty.void {
            Val { e: Expr::Int(0), ty }
        } else if self.types.scalar(ty).is_some() {
            self.havoc(ty, None, at)
        } else if self.is_record(ty) && self.types.size_of(ty).is_some() {
            let reg = self.temp_object(ty, at);
            Val { e: Expr::Addr(reg), ty }
        } else {
            self.unknown()
        }
    }

    pub fn argument(&mut self, a: &'a Node<Expression>, ty: TypeId) -> Expr {
        let value = self.rvalue_for(a, Want::type_only(ty));
        self.convert(value, ty, a.span).e
    }

    pub fn wrong_count(&mut self, name: &str, expected: usize, got: usize, callee: CSpan) -> Val {
        let plural = if expected == 1 { "" } else { "s" };
        let were = if got == 1 { "was" } else { "were" };
        let span = self.at(callee);
        let d = Diagnostic::error(
            span,
            format!("`{name}` takes {expected} argument{plural}, but {got} {were} given"),
        );
        self.diagnostics.push(d);
        self.unknown()
    }
}

/// `(*f)(x)` and `(&f)(x)` call `f`.
pub fn strip_address(e: &Node<Expression>) -> &Node<Expression> {
    match &e.node {
        Expression::UnaryOperator(u)
            if matches!(
                u.node.operator.node,
                UnaryOperator::Address | UnaryOperator::Indirection
            ) && matches!(u.node.operand.node, Expression::Identifier(_)) =>
        {
            &u.node.operand
        }
        _ => e,
    }
}
