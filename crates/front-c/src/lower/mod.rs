//! From syntax tree to heap program: names, types, control flow.
//!
//! One pass declares everything at the file scope of every translation unit, and links what is
//! declared in several (`link`); a second lowers the bodies, because whether a global lives in a
//! register depends on all of them. An expression that is not evaluated
//! (`sizeof e`, `typeof(e)`) and a constant expression are lowered like any other, into a scratch
//! procedure that is thrown away.
//!
//! **Invariants.** A type error or unknown name leaves an error diagnostic and a value of the
//! *unknown* type, which fits everywhere. A construct outside the subset leaves an `Unsupported`
//! instruction and such a value.

mod access;
mod allocate;
mod arith;
mod assertion;
mod assign;
mod attributes;
mod bits;
mod builder;
mod call;
mod compact;
mod compatible;
mod cond;
mod constant;
mod contract;
mod conversions;
mod convert;
mod declarator;
mod declare;
mod element;
mod expr;
mod fold;
mod format;
mod fresh;
mod functions;
mod ghost;
mod global;
mod indirect;
mod init;
mod jump;
mod known;
mod link;
mod literal;
mod local;
mod loose;
mod order;
mod packed;
mod place;
mod print;
mod proc;
mod records;
mod reorder;
mod returned;
mod room;
mod scan;
mod scope;
mod scratch;
mod stmt;
mod store;
mod switch;
mod taken;
mod types;
mod varargs;

use std::collections::{BTreeMap, BTreeSet};

use lang_c::ast;
use lang_c::span::Span as CSpan;
use trellis_program::ir::{Expr, Global, GlobalId, Procedure, Program};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::spec::Predicate;
use trellis_program::types::{DataModel, IntKind, RecordId, Type, TypeId, TypeTable};

pub use declare::defined_name;
pub use format::MODELS as FORMAT_MODELS;
pub use functions::STAND_IN;
pub use print::MODELS as PRINT_MODELS;
pub use room::{LENGTH_MODELS, WRITERS};
pub use scan::MODELS as SCAN_MODELS;
pub use taken::functions_used;

use crate::annotations::Notes;
use crate::comments::Scan;
use crate::positions::Positions;
use crate::whole::Whole;
use global::GlobalInfo;
use link::{Shared, ToldApart};
use proc::{Function, Proc};
use records::RecordInfo;
use scope::Scopes;

/// Lowers the translation units of a program; the diagnostics may hold errors.
pub fn lower(
    units: &[ast::TranslationUnit],
    whole: &Whole,
    model: DataModel,
) -> (Program, Vec<Diagnostic>) {
    let mut lower = declared(units, whole, model);
    lower.name_apart();
    lower.number_functions();
    lower.mark_external();
    lower.find_pointed(units);
    lower.resolve_contracts();
    lower.lower_bodies();
    lower.settle_pointed();
    lower.settle_doubts();
    lower.settle_writes();
    lower.check_leftover_annotations();
    lower.finish()
}

/// Everything at file scope. Two units may use one tag for two types; that is found out only where
/// the second one is defined, and then all begins again with what was found out.
fn declared<'a>(
    units: &'a [ast::TranslationUnit],
    whole: &'a Whole,
    model: DataModel,
) -> Lower<'a> {
    let mut told_apart = ToldApart::default();
    loop {
        let mut lower = Lower::new(whole, told_apart, model);
        lower.taken = units.iter().flat_map(taken::addresses_taken).collect();
        lower.exact = loose::exact(units);
        for (number, unit) in units.iter().enumerate() {
            lower.enter_unit(number);
            lower.declare_unit(unit);
        }
        match lower.other_type.take() {
            Some(tag) => {
                told_apart = lower.told_apart;
                *told_apart.entry(tag).or_default() += 1;
            }
            None => return lower,
        }
    }
}

/// The state of lowering a program.
struct Lower<'a> {
    whole: &'a Whole,
    scan: &'a Scan,
    notes: &'a Notes,
    /// Which notes have found their place.
    attached: Vec<bool>,
    positions: &'a Positions,
    types: TypeTable,
    globals: Vec<Global>,
    global_info: Vec<GlobalInfo>,
    procs: Vec<Procedure>,
    predicates: Vec<Predicate>,
    functions: Vec<Function<'a>>,
    /// The translation unit that names are looked up in.
    unit: usize,
    scopes: Scopes,
    /// The scopes of the other units.
    unit_scopes: Vec<Scopes>,
    /// What is declared in one unit and may be meant by another.
    shared: Shared,
    /// Which of the types of one tag a unit means.
    told_apart: ToldApart,
    /// A tag by which a unit means another type than was taken for granted.
    other_type: Option<(usize, String)>,
    records: BTreeMap<RecordId, RecordInfo>,
    strings: BTreeMap<Vec<u8>, BTreeMap<Option<usize>, GlobalId>>,
    /// `static` locals by the offset of their declaration.
    static_locals: BTreeMap<usize, GlobalId>,
    /// Names whose address some function takes.
    taken: BTreeSet<String>,
    /// The parameters before the one that is being declared.
    parameters: Vec<String>,
    /// Functions that pointers may lead to.
    pointed: BTreeSet<usize>,
    /// `va_list`, once it is needed.
    va_list: Option<TypeId>,
    /// The types of what is passed behind parameters, by the types of the arguments.
    rests: BTreeMap<Vec<TypeId>, TypeId>,
    /// What stands for functions that only callers know, by type.
    foreign: BTreeMap<TypeId, GlobalId>,
    /// Calls of which only what the library promises is looked at.
    exact: loose::Exact,
    /// The procedure being lowered; a scratch one for constants at file scope.
    f: Proc,
    /// Bodies still to be lowered (functions of system headers that turned out to be called).
    called: Vec<usize>,
    /// Expressions whose order of evaluation may matter.
    doubts: Vec<order::Doubt>,
    diagnostics: Vec<Diagnostic>,
    /// Those that stay when a body is lowered again.
    lasting: Vec<Diagnostic>,
    /// A function that runs before or after `main`, and which of the two.
    around_main: Option<(Span, &'static str)>,
    ty: Common,
}

/// Types that are needed all the time.
#[derive(Clone, Copy)]
struct Common {
    void: TypeId,
    int: TypeId,
    char: TypeId,
    size: TypeId,
    long: TypeId,
    void_ptr: TypeId,
    /// The type of what could not be lowered: an incomplete record that nothing else has.
    unknown: TypeId,
}

/// A value: a pure expression and its type. An aggregate's expression is its address.
#[derive(Clone, Debug)]
struct Val {
    e: Expr,
    ty: TypeId,
}

impl<'a> Lower<'a> {
    fn new(whole: &'a Whole, told_apart: ToldApart, model: DataModel) -> Lower<'a> {
        let Whole { scan, notes, positions, units, .. } = whole;
        let mut types = TypeTable::of_model(model);
        let void = types.intern(Type::Void);
        let unknown = types.declare_record("an unknown type", false);
        let ty = Common {
            void,
            int: types.intern(Type::Int(IntKind::INT)),
            char: types.intern(Type::Int(IntKind::CHAR)),
            size: types.intern(Type::Int(model.size())),
            long: types.intern(Type::Int(model.long())),
            void_ptr: types.intern(Type::Ptr(void)),
            unknown: types.intern(Type::Record(unknown)),
        };
        Lower {
            whole,
            scan,
            attached: vec![false; notes.list.len()],
            notes,
            positions,
            types,
            globals: Vec::new(),
            global_info: Vec::new(),
            procs: Vec::new(),
            predicates: Vec::new(),
            functions: Vec::new(),
            unit: 0,
            scopes: Scopes::new(),
            unit_scopes: units.iter().map(|_| Scopes::new()).collect(),
            shared: Shared::default(),
            told_apart,
            other_type: None,
            records: BTreeMap::new(),
            strings: BTreeMap::new(),
            static_locals: BTreeMap::new(),
            taken: BTreeSet::new(),
            parameters: Vec::new(),
            pointed: BTreeSet::new(),
            va_list: None,
            rests: BTreeMap::new(),
            foreign: BTreeMap::new(),
            exact: loose::Exact::default(),
            f: Proc::scratch(void),
            called: Vec::new(),
            doubts: Vec::new(),
            diagnostics: Vec::new(),
            lasting: Vec::new(),
            around_main: None,
            ty,
        }
    }

    fn finish(mut self) -> (Program, Vec<Diagnostic>) {
        self.types.finish();
        self.procs.iter_mut().for_each(compact::compact);
        let program = Program {
            types: self.types,
            globals: self.globals,
            procs: self.procs,
            predicates: self.predicates,
            ..Program::default()
        };
        let mut seen: Vec<Diagnostic> = Vec::new();
        self.lasting.append(&mut self.diagnostics);
        for d in std::mem::take(&mut self.lasting) {
            if !seen.contains(&d) {
                seen.push(d);
            }
        }
        (program, seen)
    }

    /// The user's place of a node, without blanks and parentheses around it.
    fn at(&self, span: CSpan) -> Span {
        let (mut start, mut end) = (span.start, span.end);
        while let Some(text) = self.scan.code.get(start..end) {
            let trimmed = text.trim_start();
            start += text.len() - trimmed.len();
            end = start + trimmed.trim_end().len();
            match inside_parentheses(trimmed.trim_end()) {
                true => (start, end) = (start + 1, end - 1),
                false => break,
            }
        }
        if start >= end {
            return self.positions.span(span.start, span.end);
        }
        self.positions.span(start, end)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Val {
        self.diagnostics.push(Diagnostic::error(span, message));
        self.unknown()
    }

    /// A value of the unknown type.
    fn unknown(&self) -> Val {
        Val { e: Expr::Int(0), ty: self.ty.unknown }
    }

    fn is_unknown(&self, ty: TypeId) -> bool {
        ty == self.ty.unknown
    }

    fn int(&self, value: i64) -> Val {
        Val { e: Expr::Int(value), ty: self.ty.int }
    }

    fn pointer_to(&mut self, ty: TypeId) -> TypeId {
        self.types.intern(Type::Ptr(ty))
    }

    /// The integer type that a type is.
    fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match self.types.get(ty) {
            Type::Int(k) => Some(*k),
            _ => None,
        }
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Ptr(_))
    }

    fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Record(_)) && !self.is_unknown(ty)
    }

    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Float(_))
    }
}

/// Whether the first and last character are a pair of parentheses around something.
fn inside_parentheses(text: &str) -> bool {
    if text.len() < 3 || !text.starts_with('(') || !text.ends_with(')') {
        return false;
    }
    let mut depth = 0;
    for (i, b) in text.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' => depth -= 1,
            // Parentheses in literals do not count, so text with literals stays as it is.
            b'"' | b'\'' => return false,
            _ => {}
        }
        if depth == 0 && i + 1 < text.len() {
            return false;
        }
    }
    true
}
