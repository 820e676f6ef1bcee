//! Calls of functions that the unit defines or gives a contract.

use lang_c::ast::{self, Expression, UnaryOperator};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{Expr, InstrKind};
use trellis_program::source::Diagnostic;
use trellis_program::types::TypeId;

use super::expr::Want;
use super::scope::Symbol;
use super::{Lower, Val, known};

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
        let callee = strip_address(&call.node.callee);
        let arguments = &call.node.arguments;
        let Expression::Identifier(id) = &callee.node else {
            return self.indirect_call(callee, arguments, span);
        };
        let name = &id.node.name;
        let function = match self.scopes.lookup(name) {
            Some(Symbol::Function(f)) => Some(f),
            Some(_) => return self.indirect_call(callee, arguments, span),
            None => None,
        };
        let has_body = function.is_some_and(|f| self.functions[f].definition.is_some());
        if (!has_body || known::is_error_function(name))
            && let Some(value) = self.known_call(name, arguments, span, want, discard)
        {
            return value;
        }
        match function {
            Some(f) => {
                let value = self.direct_call(f, callee.span, arguments, span, want, discard);
                if discard { value } else { self.loosened(f, call.span, value, at) }
            }
            None => self.undeclared_function(name, callee.span),
        }
    }

    fn undeclared_function(&mut self, name: &str, span: CSpan) -> Val {
        let value = self.undeclared(name, span);
        if let Some(last) = self.diagnostics.last_mut() {
            last.message = format!("no function is called `{name}`");
            if last.help.is_none() {
                last.help = known::similar(name).map(|n| format!("did you mean `{n}`?"));
            }
        }
        value
    }

    fn indirect_call(
        &mut self,
        callee: &'a Node<Expression>,
        arguments: &'a [Node<Expression>],
        span: CSpan,
    ) -> Val {
        let value = self.rvalue(callee);
        let pointee = self.types.pointee(value.ty);
        let at = self.at(span);
        if pointee != Some(self.ty.func) && !self.is_unknown(value.ty) {
            let shown = self.types.name(value.ty);
            let at = self.at(callee.span);
            return self.error(at, format!("a value of type `{shown}` cannot be called"));
        }
        for a in arguments {
            self.rvalue(a);
        }
        self.unsupported(at, "a call through a function pointer")
    }

    fn direct_call(
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
        let (mut args, mut marks) = (Vec::new(), Vec::new());
        for (i, a) in arguments.iter().enumerate() {
            marks.push(self.f.builder.mark());
            match signature.params.get(i) {
                Some(p) => args.push(self.argument(a, p.ty)),
                None => {
                    self.rvalue(a);
                }
            }
        }
        let values = args.iter().map(Some).chain(std::iter::repeat(None));
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
        let dst = if ret == self.ty.void || (discard && !self.is_record(ret)) {
            None
        } else if self.types.scalar(ret).is_some() {
            Some(match want.dst {
                Some(d) if want.takes(self, ret) => d,
                _ => self.temp(ret, at),
            })
        } else {
            Some(self.temp_object(ret, at))
        };
        self.emit(InstrKind::Call { dst, proc, args }, at);
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

    fn argument(&mut self, a: &'a Node<Expression>, ty: TypeId) -> Expr {
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
fn strip_address(e: &Node<Expression>) -> &Node<Expression> {
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
