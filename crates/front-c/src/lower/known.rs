//! Functions whose meaning is known: allocation, memory, exits, assertions, verifier primitives.

use lang_c::ast::Expression;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::CheckKind;
use trellis_program::ir::{BinOp, Cond, Expr, InstrKind, Terminator};
use trellis_program::source::Span;
use trellis_program::types::{IntKind, Type, TypeId};

use super::expr::Want;
use super::print::{Print, Reads};
use super::scan::Origin;
use super::scope::Symbol;
use super::{Lower, Val, fold};

/// What a known function does, and how many arguments it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Malloc,
    Calloc,
    Alloca,
    Free,
    Fill,
    Zero,
    Copy,
    /// `memmove`: a copy between places that may overlap.
    Move,
    Abort,
    /// `__builtin_unreachable`: undefined behaviour when it is reached.
    Unreachable,
    Exit,
    AssertFail,
    Error,
    Assume,
    Assert,
    Expect,
    /// Evaluates its arguments and reads the strings among them; the result is any value.
    Print(Print),
    /// `sprintf` and `snprintf`; the format is the argument of this number.
    Format(usize),
    /// `vprintf`, and `vfprintf` to the stream of this number.
    PrintList(Option<usize>),
    /// `vsprintf` and `vsnprintf`; the format is the argument of this number.
    FormatList(usize),
    VaStart,
    VaEnd,
    VaCopy,
    /// `scanf` and its kin.
    Scan(Origin),
    /// Any number that is not negative.
    Random,
    /// `getchar`: a character as an unsigned one, or -1.
    Character,
    Nondet,
    Time,
    /// `__builtin_constant_p`: evaluates nothing; "yes" of what is a constant here, and of the rest
    /// whatever the compiler finds.
    ConstantP,
    /// `__builtin_types_compatible_p`.
    TypesCompatible,
    /// `__trellis_object_size`: how many bytes an object has, in models.
    ObjectSize,
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
    ("memmove", Known::Move, 3),
    ("abort", Known::Abort, 0),
    ("trap", Known::Abort, 0),
    ("unreachable", Known::Unreachable, 0),
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
    ("assume_abort_if_not", Known::Assume, 1),
    ("__VERIFIER_assert", Known::Assert, 1),
    ("assert", Known::Assert, 1),
    ("expect", Known::Expect, 2),
    ("printf", Known::Print(Print::new(Reads::Format(0))), 1),
    ("fprintf", Known::Print(Print::to(0, Reads::Format(1))), 2),
    ("dprintf", Known::Print(Print::new(Reads::Format(1))), 2),
    ("puts", Known::Print(Print::new(Reads::Text)), 1),
    ("fputs", Known::Print(Print::to(1, Reads::Text)), 2),
    ("perror", Known::Print(Print::new(Reads::TextOrNull)), 1),
    ("putchar", Known::Print(Print::new(Reads::Value)), 1),
    ("putc", Known::Print(Print::to(1, Reads::Value)), 2),
    ("fputc", Known::Print(Print::to(1, Reads::Value)), 2),
    ("fflush", Known::Print(Print::new(Reads::Value)), 1),
    ("srand", Known::Print(Print::new(Reads::Value)), 1),
    ("srandom", Known::Print(Print::new(Reads::Value)), 1),
    ("sleep", Known::Print(Print::new(Reads::Value)), 1),
    ("usleep", Known::Print(Print::new(Reads::Value)), 1),
    ("sprintf", Known::Format(1), 2),
    ("snprintf", Known::Format(2), 3),
    ("scanf", Known::Scan(Origin::Standard), 1),
    ("fscanf", Known::Scan(Origin::Stream), 2),
    ("sscanf", Known::Scan(Origin::Text), 2),
    ("rand", Known::Random, 0),
    ("random", Known::Random, 0),
    ("getchar", Known::Character, 0),
    ("clock", Known::Print(Print::new(Reads::Value)), 0),
    ("time", Known::Time, 1),
    ("constant_p", Known::ConstantP, 1),
    ("types_compatible_p", Known::TypesCompatible, 2),
    ("__trellis_object_size", Known::ObjectSize, 1),
    ("alloca", Known::Alloca, 1),
    ("setjmp", Known::Unsupported, 0),
    ("longjmp", Known::Unsupported, 0),
    ("va_start", Known::VaStart, 1),
    ("va_end", Known::VaEnd, 1),
    ("va_copy", Known::VaCopy, 2),
    ("vprintf", Known::PrintList(None), 2),
    ("vfprintf", Known::PrintList(Some(0)), 3),
    ("vsprintf", Known::FormatList(1), 3),
    ("vsnprintf", Known::FormatList(2), 4),
];

/// Functions that return any value, whatever their body is.
pub fn is_input(name: &str) -> bool {
    matches!(find(name), Some((Known::Nondet, _)))
}

/// Functions that the `assert` macro calls.
pub fn is_assert_fail(name: &str) -> bool {
    matches!(find(name), Some((Known::AssertFail, _)))
}

/// The names of known functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|t| t.0)
}

fn find(name: &str) -> Option<(Known, usize)> {
    // The last two are what older verifiers call it.
    if name.starts_with("__VERIFIER_nondet") || matches!(name, "__nondet" | "___sl_get_nondet_int")
    {
        return Some((Known::Nondet, 0));
    }
    let (plain, builtin) = match name.strip_prefix("__builtin_") {
        // `__builtin___memcpy_chk(…, size)`: the last argument is for the run-time check only.
        Some(rest) => {
            (rest.strip_prefix("__").and_then(|r| r.strip_suffix("_chk")).unwrap_or(rest), true)
        }
        None => (name, false),
    };
    let only_builtin =
        ["expect", "unreachable", "trap", "constant_p", "types_compatible_p"].contains(&plain);
    if only_builtin && !builtin {
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
                let first = self.f.builder.mark();
                let n = self.size_argument(&arguments[0]);
                let second = self.f.builder.mark();
                let each = self.size_argument(&arguments[1]);
                self.unsequenced(&[(first, Some(&n)), (second, Some(&each))], at);
                let kind = self.types.model().size();
                if let (Some(n), Some(each)) = (fold::constant(&n), fold::constant(&each))
                    && kind
                        .value(n)
                        .checked_mul(kind.value(each))
                        .is_none_or(|all| all != kind.value(kind.wrap(all)))
                {
                    self.unsupported(at, "a very large size");
                }
                let size = fold::binary(BinOp::Mul, kind, n, each);
                self.allocate(size, &arguments[..2], true, want, at)
            }
            Known::Alloca => {
                let size = self.size_argument(&arguments[0]);
                self.allocate_local(size, &arguments[0], want, at)
            }
            Known::Free => {
                let ptr = self.pointer_argument(&arguments[0]).e;
                self.emit(InstrKind::Free { ptr }, at);
                void
            }
            Known::Fill | Known::Zero => self.fill(known, arguments, at),
            Known::Copy | Known::Move => {
                let first = self.f.builder.mark();
                let dst = self.pointer_argument(&arguments[0]);
                let second = self.f.builder.mark();
                let src = self.pointer_argument(&arguments[1]).e;
                let third = self.f.builder.mark();
                let size = self.size_argument(&arguments[2]);
                let operands = [(first, Some(&dst.e)), (second, Some(&src)), (third, Some(&size))];
                self.unsequenced(&operands, at);
                self.check_written_bytes(&dst.e, &size, at);
                let result = self.in_register(dst, arguments[0].span);
                let dst = result.e.clone();
                let may_overlap = known == Known::Move;
                self.emit(InstrKind::Copy { dst, src, size, may_overlap }, at);
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
            Known::Unreachable => {
                self.fails(CheckKind::Unreachable, at);
                void
            }
            // Where the call alone is no error, its body is what happens.
            Known::Error => match self.scopes.lookup(name) {
                Some(Symbol::Function(f)) if self.functions[f].definition.is_some() => {
                    self.direct_call(f, span, arguments, span, want, discard)
                }
                _ => {
                    self.fails(CheckKind::ErrorCall, at);
                    void
                }
            },
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
            Known::Print(print) => {
                self.print(print, arguments, at);
                self.result(name, want, discard, at)
            }
            Known::Format(format) => self.format(arguments, format, span),
            Known::PrintList(stream) => {
                self.print_list(stream, arguments, at);
                self.result(name, want, discard, at)
            }
            Known::FormatList(format) => self.format_list(arguments, format, at),
            Known::VaStart => {
                self.va_start(&arguments[0], at);
                void
            }
            Known::VaEnd => {
                self.effect(&arguments[0]);
                void
            }
            Known::VaCopy => {
                self.va_copy(&arguments[0], &arguments[1], at);
                void
            }
            Known::Scan(origin) => self.scan(origin, arguments, span),
            Known::Random => {
                let any = self.result(name, Want::default(), false, at);
                self.not_negative(any)
            }
            Known::Character => {
                let char = self.types.intern(Type::Int(IntKind { bits: 8, signed: false }));
                let bool = self.types.intern(Type::Int(IntKind::BOOL));
                let [read, less] = [char, bool].map(|ty| {
                    let any = self.havoc(ty, None, at);
                    self.convert(any, self.ty.int, span).e
                });
                Val { e: fold::binary(BinOp::Sub, IntKind::INT, read, less), ty: self.ty.int }
            }
            Known::Nondet => {
                arguments.iter().for_each(|a| self.effect(a));
                self.result(name, want, discard, at)
            }
            Known::Time => {
                let pointer = self.rvalue(&arguments[0]);
                let dst = want.dst.filter(|_| want.takes(self, self.ty.long));
                let now = self.havoc(self.ty.long, dst, at);
                if !matches!(pointer.e, Expr::Null | Expr::Int(0)) {
                    self.store_unless_null(pointer, &now, arguments[0].span);
                }
                now
            }
            Known::ObjectSize => {
                let pointer = self.pointer_argument(&arguments[0]).e;
                Val { e: Expr::Extent(Box::new(pointer), 1), ty: self.ty.size }
            }
            Known::ConstantP => match self.constant(&arguments[0]) {
                Some(_) => self.int(1),
                None => {
                    let bool = self.types.intern(Type::Int(IntKind::BOOL));
                    let any = self.havoc(bool, None, at);
                    self.convert(any, self.ty.int, span)
                }
            },
            Known::TypesCompatible => self.types_compatible(arguments, at),
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

    /// `if (pointer) *pointer = value;`
    fn store_unless_null(&mut self, pointer: Val, value: &Val, span: CSpan) {
        let at = self.at(span);
        let pointer = self.in_register(pointer, span);
        let addr = pointer.e.clone();
        let there = self.truth(pointer, span);
        let [store, next] = [(); 2].map(|()| self.f.builder.block());
        self.end_branch(there, store, next, at);
        self.f.builder.start(store, at);
        let scalar = self.scalar(value.ty);
        self.emit(InstrKind::Store { addr, scalar, value: value.e.clone() }, at);
        self.f.builder.start(next, at);
    }

    pub fn size_argument(&mut self, a: &'a Node<Expression>) -> Expr {
        let value = self.rvalue(a);
        self.convert(value, self.ty.size, a.span).e
    }

    pub fn pointer_argument(&mut self, a: &'a Node<Expression>) -> Val {
        let value = self.rvalue(a);
        if self.is_pointer(value.ty) {
            value
        } else {
            self.convert(value, self.ty.void_ptr, a.span)
        }
    }

    fn fill(&mut self, known: Known, arguments: &'a [Node<Expression>], at: Span) -> Val {
        let first = self.f.builder.mark();
        let dst = self.pointer_argument(&arguments[0]);
        let second = self.f.builder.mark();
        let byte = if known == Known::Fill {
            let byte = self.rvalue(&arguments[1]);
            self.convert(byte, self.ty.int, arguments[1].span).e
        } else {
            Expr::Int(0)
        };
        let third = self.f.builder.mark();
        let size = self.size_argument(&arguments[if known == Known::Fill { 2 } else { 1 }]);
        let operands = [(first, Some(&dst.e)), (second, Some(&byte)), (third, Some(&size))];
        self.unsequenced(&operands, at);
        self.check_written_bytes(&dst.e, &size, at);
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
            "long" => Type::Int(self.types.model().long()),
            "ulong" | "size_t" => Type::Int(self.types.model().size()),
            "longlong" | "loff_t" | "s64" | "int64" => int(64, true),
            "ulonglong" | "u64" | "uint64" => int(64, false),
            "pointer" | "ptr" | "pchar" => return self.ty.void_ptr,
            "float" => Type::Float(32),
            "double" => Type::Float(64),
            _ => int(32, true),
        };
        self.types.intern(ty)
    }

    /// A number without its sign.
    fn not_negative(&mut self, value: Val) -> Val {
        let Some(kind) = self.int_kind(value.ty) else { return value };
        let most = Expr::Int(i64::MAX >> (64 - kind.bits));
        Val { e: fold::binary(BinOp::And, kind, value.e, most), ty: value.ty }
    }
}
