//! Functions whose meaning is known: allocation, memory, exits, assertions, verifier primitives.

use lang_c::ast::{self, BinaryOperator, Expression, Statement};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::CheckKind;
use trellis_program::ir::{BinOp, Cond, Expr, InstrKind, Terminator};
use trellis_program::source::{Span, suggest};
use trellis_program::types::{IntKind, Scalar, Type, TypeId};

use super::expr::Want;
use super::scope::Symbol;
use super::{Lower, Val, fold};

/// What a known function does, and how many arguments it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Malloc,
    Calloc,
    Free,
    Fill,
    Zero,
    Copy,
    Abort,
    Exit,
    AssertFail,
    Error,
    Assume,
    Assert,
    Expect,
    /// Only evaluates its arguments; the result is any value.
    Nothing,
    /// The same, and reads strings.
    Print,
    Nondet,
    Time,
    Unsupported,
}

const TABLE: &[(&str, Known, usize)] = &[
    ("malloc", Known::Malloc, 1),
    ("valloc", Known::Malloc, 1),
    ("calloc", Known::Calloc, 2),
    ("free", Known::Free, 1),
    ("cfree", Known::Free, 1),
    ("memset", Known::Fill, 3),
    ("bzero", Known::Zero, 2),
    ("memcpy", Known::Copy, 3),
    ("memmove", Known::Copy, 3),
    ("abort", Known::Abort, 0),
    ("trap", Known::Abort, 0),
    ("unreachable", Known::Abort, 0),
    ("exit", Known::Exit, 1),
    ("_exit", Known::Exit, 1),
    ("_Exit", Known::Exit, 1),
    ("quick_exit", Known::Exit, 1),
    ("__assert_fail", Known::AssertFail, 0),
    ("__assert_rtn", Known::AssertFail, 0),
    ("__assert", Known::AssertFail, 0),
    ("_assert", Known::AssertFail, 0),
    ("reach_error", Known::Error, 0),
    ("__VERIFIER_error", Known::Error, 0),
    ("__VERIFIER_assume", Known::Assume, 1),
    ("__VERIFIER_assert", Known::Assert, 1),
    ("expect", Known::Expect, 2),
    ("printf", Known::Print, 1),
    ("fprintf", Known::Print, 2),
    ("dprintf", Known::Print, 2),
    ("puts", Known::Print, 1),
    ("fputs", Known::Print, 2),
    ("perror", Known::Print, 1),
    ("putchar", Known::Nothing, 1),
    ("putc", Known::Nothing, 2),
    ("fputc", Known::Nothing, 2),
    ("fflush", Known::Nothing, 1),
    ("srand", Known::Nothing, 1),
    ("srandom", Known::Nothing, 1),
    ("sleep", Known::Nothing, 1),
    ("usleep", Known::Nothing, 1),
    ("rand", Known::Nothing, 0),
    ("random", Known::Nothing, 0),
    ("getchar", Known::Nothing, 0),
    ("clock", Known::Nothing, 0),
    ("time", Known::Time, 1),
    ("realloc", Known::Unsupported, 0),
    ("alloca", Known::Unsupported, 0),
    ("setjmp", Known::Unsupported, 0),
    ("longjmp", Known::Unsupported, 0),
    ("va_start", Known::Unsupported, 0),
    ("va_end", Known::Unsupported, 0),
    ("va_copy", Known::Unsupported, 0),
];

/// Functions that report an error by being called, whatever their body is.
pub fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// A known function with a similar name.
pub fn similar(name: &str) -> Option<&'static str> {
    suggest(name, TABLE.iter().map(|t| t.0))
}

fn find(name: &str) -> Option<(Known, usize)> {
    if name.starts_with("__VERIFIER_nondet") {
        return Some((Known::Nondet, 0));
    }
    let (plain, builtin) = match name.strip_prefix("__builtin_") {
        // `__builtin___memcpy_chk(…, size)`: the last argument is for the run-time check only.
        Some(rest) => {
            (rest.strip_prefix("__").and_then(|r| r.strip_suffix("_chk")).unwrap_or(rest), true)
        }
        None => (name, false),
    };
    if matches!(plain, "expect" | "unreachable" | "trap") && !builtin {
        return None;
    }
    TABLE
        .iter()
        .find(|t| t.0 == plain)
        .map(|t| (t.1, t.2))
        .or(builtin.then_some((Known::Unsupported, 0)))
}

impl<'a> Lower<'a> {
    /// A call of a function whose meaning is known; `None` if it is not.
    pub fn known_call(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
        span: CSpan,
        want: Want,
        discard: bool,
    ) -> Option<Val> {
        let (known, count) = find(name)?;
        let at = self.at(span);
        if arguments.len() < count {
            return Some(self.wrong_count(name, count, arguments.len(), span));
        }
        let void = Val { e: Expr::Int(0), ty: self.ty.void };
        Some(match known {
            Known::Malloc => {
                let size = self.size_argument(&arguments[0]);
                self.allocate(size, &arguments[..1], false, want, at)
            }
            Known::Calloc => {
                let n = self.size_argument(&arguments[0]);
                let each = self.size_argument(&arguments[1]);
                let size = fold::binary(BinOp::Mul, IntKind::SIZE, n, each);
                self.allocate(size, &arguments[..2], true, want, at)
            }
            Known::Free => {
                let ptr = self.pointer_argument(&arguments[0]).e;
                self.emit(InstrKind::Free { ptr }, at);
                void
            }
            Known::Fill | Known::Zero => self.fill(known, arguments, at),
            Known::Copy => {
                let dst = self.pointer_argument(&arguments[0]);
                let src = self.pointer_argument(&arguments[1]).e;
                let size = self.size_argument(&arguments[2]);
                let result = self.in_register(dst, arguments[0].span);
                let dst = result.e.clone();
                self.emit(InstrKind::Copy { dst, src, size }, at);
                result
            }
            Known::Abort => {
                self.f.builder.end(Terminator::Abort, at);
                void
            }
            Known::Exit => {
                self.rvalue(&arguments[0]);
                self.f.builder.end(Terminator::Exit, at);
                void
            }
            Known::AssertFail => {
                let at = self.f.full.unwrap_or(at);
                self.fails(CheckKind::Assertion, at);
                void
            }
            Known::Error => {
                self.fails(CheckKind::ErrorCall, at);
                void
            }
            Known::Assume | Known::Assert => {
                let value = self.rvalue(&arguments[0]);
                let cond = Cond::Expr(self.truth(value, arguments[0].span));
                self.emit(
                    match known {
                        Known::Assume => InstrKind::Assume { cond },
                        _ => InstrKind::Assert { kind: CheckKind::Assertion, cond },
                    },
                    at,
                );
                void
            }
            Known::Expect => {
                let value = self.rvalue(&arguments[0]);
                self.effect(&arguments[1]);
                self.convert(value, self.ty.long, arguments[0].span)
            }
            Known::Nothing | Known::Print => {
                self.evaluate(known == Known::Print, arguments, at);
                self.result(name, want, discard, at)
            }
            Known::Nondet => {
                arguments.iter().for_each(|a| self.effect(a));
                self.result(name, want, discard, at)
            }
            Known::Time => {
                let pointer = self.rvalue(&arguments[0]);
                if !matches!(pointer.e, Expr::Null | Expr::Int(0)) {
                    return Some(self.unsupported(at, "`time` with a place for its result"));
                }
                self.havoc(self.ty.long, want.dst.filter(|_| want.takes(self, self.ty.long)), at)
            }
            Known::Unsupported => {
                for a in arguments {
                    self.rvalue(a);
                }
                self.unsupported(at, format!("a call of `{name}`"))
            }
        })
    }

    /// An assertion that cannot hold, and the end of the execution.
    fn fails(&mut self, kind: CheckKind, at: Span) {
        let cond = Cond::Expr(Expr::Int(0));
        self.emit(InstrKind::Assert { kind, cond }, at);
        self.f.builder.end(Terminator::Abort, at);
    }

    fn size_argument(&mut self, a: &'a Node<Expression>) -> Expr {
        let value = self.rvalue(a);
        self.convert(value, self.ty.size, a.span).e
    }

    fn pointer_argument(&mut self, a: &'a Node<Expression>) -> Val {
        let value = self.rvalue(a);
        if self.is_pointer(value.ty) {
            value
        } else {
            self.convert(value, self.ty.void_ptr, a.span)
        }
    }

    fn fill(&mut self, known: Known, arguments: &'a [Node<Expression>], at: Span) -> Val {
        let dst = self.pointer_argument(&arguments[0]);
        let (byte, size) = if known == Known::Fill {
            let byte = self.rvalue(&arguments[1]);
            let byte = self.convert(byte, self.ty.int, arguments[1].span).e;
            (byte, self.size_argument(&arguments[2]))
        } else {
            (Expr::Int(0), self.size_argument(&arguments[1]))
        };
        let result = self.in_register(dst, arguments[0].span);
        let dst = result.e.clone();
        self.emit(InstrKind::Fill { dst, byte, size }, at);
        result
    }

    /// The result of a function that may return anything: by its declaration, or by its name.
    fn result(&mut self, name: &str, want: Want, discard: bool, at: Span) -> Val {
        let declared = match self.scopes.lookup(name) {
            Some(Symbol::Function(f)) => self.functions[f].signature.as_ref().map(|s| s.ret),
            _ => None,
        };
        let ty = declared.unwrap_or_else(|| self.type_by_name(name));
        if discard || ty == self.ty.void {
            return Val { e: Expr::Int(0), ty: self.ty.void };
        }
        let dst = want.dst.filter(|_| want.takes(self, ty));
        if self.types.scalar(ty).is_none() {
            return self.unsupported(at, format!("the result of `{name}`"));
        }
        self.havoc(ty, dst, at)
    }

    fn type_by_name(&mut self, name: &str) -> TypeId {
        let int = |bits, signed| Type::Int(IntKind { bits, signed });
        let ty = match name.strip_prefix("__VERIFIER_nondet_").unwrap_or("int") {
            "bool" | "_Bool" => int(1, false),
            "char" | "schar" | "s8" | "int8" => int(8, true),
            "uchar" | "u8" | "uint8" => int(8, false),
            "short" | "s16" | "int16" => int(16, true),
            "ushort" | "u16" | "uint16" => int(16, false),
            "uint" | "unsigned" | "u32" | "uint32" => int(32, false),
            "long" | "longlong" | "loff_t" | "s64" | "int64" => int(64, true),
            "ulong" | "ulonglong" | "size_t" | "u64" | "uint64" => int(64, false),
            "pointer" | "ptr" | "pchar" => return self.ty.void_ptr,
            "float" => Type::Float(32),
            "double" => Type::Float(64),
            _ => int(32, true),
        };
        self.types.intern(ty)
    }

    /// Evaluates the arguments of an output function.
    fn evaluate(&mut self, is_print: bool, arguments: &'a [Node<Expression>], at: Span) {
        let format = arguments.iter().find_map(|a| match &a.node {
            Expression::StringLiteral(s) => Some(s.node.concat()),
            _ => None,
        });
        if is_print && format.as_ref().is_some_and(|f| f.contains("%n")) {
            self.unsupported(at, "the conversion `%n`");
        }
        // Without a literal format, or with `%s`, strings are read.
        let reads = is_print && format.as_ref().is_none_or(|f| f.contains('s'));
        for a in arguments {
            // `stdout` and the like have no value here, and none is needed.
            if let Expression::Identifier(id) = &a.node
                && self.scopes.lookup(&id.node.name).is_none()
                && self.header_variables.contains_key(&id.node.name)
            {
                continue;
            }
            if matches!(a.node, Expression::StringLiteral(_)) {
                continue;
            }
            if matches!(&a.node, Expression::Constant(c) if matches!(c.node, ast::Constant::Float(_)))
            {
                continue;
            }
            let value = self.rvalue(a);
            let pointee = self.types.pointee(value.ty);
            let is_string = pointee.and_then(|p| self.int_kind(p)).is_some_and(|k| k.bits == 8);
            if reads && is_string {
                let at = self.at(a.span);
                let dst = self.temp(self.ty.char, at);
                let scalar = Scalar::Int(IntKind::CHAR);
                let addr = value.e;
                self.emit(InstrKind::Load { dst, addr, scalar }, at);
            }
        }
    }

    /// `malloc` and `calloc`. The element type is what the result is converted to, unless the
    /// size names a larger record (an object that is used through its first member).
    fn allocate(
        &mut self,
        size: Expr,
        sizes: &'a [Node<Expression>],
        zeroed: bool,
        want: Want,
        at: Span,
    ) -> Val {
        let usable =
            |l: &Self, t: &TypeId| !l.is_unknown(*t) && l.types.size_of(*t).is_some_and(|s| s > 0);
        let pointee = want.ty.and_then(|t| self.types.pointee(t)).filter(|t| usable(self, t));
        let named = sizes.iter().find_map(|e| self.type_in_size(e)).filter(|t| usable(self, t));
        let ty = match (pointee, named) {
            (Some(p), Some(n))
                if self.is_record(n) && self.types.size_of(n) > self.types.size_of(p) =>
            {
                Some(n)
            }
            (Some(p), _) => Some(p),
            (None, n) => n,
        };
        let void_ptr = self.ty.void_ptr;
        let dst = match want.dst {
            Some(d) if want.takes(self, void_ptr) => d,
            _ => {
                let ty = want.ty.filter(|_| pointee.is_some()).unwrap_or(void_ptr);
                self.temp(ty, at)
            }
        };
        self.emit(InstrKind::Alloc { dst, size, ty, zeroed }, at);
        Val {
            e: Expr::Reg(dst),
            ty: match (pointee, want.ty) {
                (Some(_), Some(w)) => w,
                _ => void_ptr,
            },
        }
    }

    /// The type whose `sizeof` stands in a size, arrays as their elements.
    fn type_in_size(&mut self, e: &'a Node<Expression>) -> Option<TypeId> {
        let ty = match &e.node {
            Expression::SizeOfTy(s) => self.type_name(&s.node.0),
            Expression::SizeOfVal(s) => self.type_of(&s.node.0),
            Expression::BinaryOperator(b)
                if matches!(
                    b.node.operator.node,
                    BinaryOperator::Multiply | BinaryOperator::Plus
                ) =>
            {
                return self.type_in_size(&b.node.lhs).or_else(|| self.type_in_size(&b.node.rhs));
            }
            Expression::Cast(c) => return self.type_in_size(&c.node.expression),
            _ => return None,
        };
        let mut ty = ty;
        while let Type::Array(element, _) = *self.types.get(ty) {
            ty = element;
        }
        Some(ty)
    }

    /// `e ? (void)0 : __assert_fail(…)`: one assertion instead of a branch.
    pub fn assertion(
        &mut self,
        condition: &'a Node<Expression>,
        then: &Node<Expression>,
        els: &Node<Expression>,
    ) -> bool {
        let trivial = match &then.node {
            Expression::Cast(c) => matches!(c.node.expression.node, Expression::Constant(_)),
            Expression::Constant(_) => true,
            _ => false,
        };
        trivial && self.is_assert_fail(els) && {
            self.assert_condition(condition);
            true
        }
    }

    /// `if (e) ; else __assert_fail(…);`
    pub fn assertion_statement(
        &mut self,
        condition: &'a Node<Expression>,
        then: &Node<Statement>,
        els: &Node<Statement>,
    ) -> bool {
        matches!(then.node, Statement::Expression(None))
            && matches!(&els.node, Statement::Expression(Some(e)) if self.is_assert_fail(e))
            && {
                self.assert_condition(condition);
                true
            }
    }

    fn is_assert_fail(&self, e: &Node<Expression>) -> bool {
        let Expression::Call(call) = &e.node else {
            return false;
        };
        let Expression::Identifier(id) = &call.node.callee.node else {
            return false;
        };
        let has_body = matches!(self.scopes.lookup(&id.node.name), Some(Symbol::Function(f))
            if self.functions[f].definition.is_some());
        !has_body && matches!(find(&id.node.name), Some((Known::AssertFail, _)))
    }

    fn assert_condition(&mut self, condition: &'a Node<Expression>) {
        let value = self.rvalue(condition);
        let cond = Cond::Expr(self.truth(value, condition.span));
        let at = self.at(condition.span);
        let at = self.f.full.unwrap_or(at);
        let kind = CheckKind::Assertion;
        self.emit(InstrKind::Assert { kind, cond }, at);
    }
}
