//! The procedure being lowered: its variables, temporaries, jumps and scopes.

use std::collections::{BTreeMap, BTreeSet};

use lang_c::ast;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::checks::is_error_function;
use trellis_program::ir::{
    BlockId, Body, Expr, InstrKind, ProcId, Procedure, Reg, Storage, Terminator, Var, VarId,
};
use trellis_program::source::{Diagnostic, FileId, Span};
use trellis_program::spec::Contract;
use trellis_program::types::{IntKind, Scalar, TypeId};

use super::builder::Builder;
use super::declarator::Signature;
use super::order::Doubt;
use super::scope::Symbol;
use super::{Lower, Val, taken};

/// A function of the unit, declared or defined.
#[derive(Debug)]
pub struct Function<'a> {
    pub name: String,
    pub signature: Option<Signature<'a>>,
    pub definition: Option<&'a Node<ast::FunctionDefinition>>,
    /// The name in its definition, or else in its first declaration.
    pub span: Span,
    /// The translation unit of its definition, or else of its first declaration.
    pub unit: usize,
    /// No other unit can mean it.
    pub is_static: bool,
    /// Its definition is `inline`, so that every unit may have one.
    pub is_inline: bool,
    /// Its definition comes from a system header.
    pub is_system: bool,
    /// Its number in the program, once it is known to be needed.
    pub proc: Option<ProcId>,
    /// Contract clauses, with the parameter names of the declaration they stand before.
    pub notes: Vec<usize>,
    pub note_params: Vec<Option<String>>,
    /// The object that stands for the function when its address is taken.
    pub object: Option<trellis_program::ir::GlobalId>,
}

/// Where `break` or `continue` goes, and how many local objects are alive there.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub block: BlockId,
    pub alive: usize,
}

/// A label, once it has been seen.
#[derive(Clone, Debug)]
pub struct Label {
    pub block: BlockId,
    pub alive: Vec<VarId>,
}

/// A `goto` whose way out of scopes is filled in at the end.
#[derive(Clone, Debug)]
pub struct Goto {
    pub edge: BlockId,
    pub label: String,
    pub alive: Vec<VarId>,
    pub span: Span,
    pub name_span: Span,
}

/// A `switch` whose body is being lowered.
#[derive(Clone, Debug, Default)]
pub struct Switch {
    pub cases: Vec<Case>,
    /// The values of the cases so far: the first and the last of each range.
    pub ranges: BTreeMap<i128, i128>,
    pub default: Option<(BlockId, Vec<VarId>)>,
    /// The promoted type of the value.
    pub kind: Option<trellis_program::IntKind>,
}

/// `case low ... high:`
#[derive(Clone, Debug)]
pub struct Case {
    pub low: i64,
    pub high: i64,
    pub block: BlockId,
    pub alive: Vec<VarId>,
    pub span: Span,
}

/// The procedure being lowered.
#[derive(Debug)]
pub struct Proc {
    pub name: String,
    pub builder: Builder,
    pub vars: Vec<Var>,
    pub params: usize,
    pub ret: TypeId,
    pub temps: u32,
    /// Local objects that are alive, in the order of their births.
    pub alive: Vec<VarId>,
    pub breaks: Vec<Target>,
    pub continues: Vec<Target>,
    pub labels: BTreeMap<String, Label>,
    pub gotos: Vec<Goto>,
    pub switches: Vec<Switch>,
    /// Names whose address the body takes.
    pub taken: BTreeSet<String>,
    /// Annotations up to here have been looked at.
    pub cursor: usize,
    /// The annotation region of this body.
    pub end: usize,
    /// The full expression being lowered, for what a macro made of it.
    pub full: Option<Span>,
    /// A scratch procedure: constants and operands of `sizeof`.
    pub is_scratch: bool,
    /// Loops around the current place.
    pub loops: u32,
    /// Registers declared without a value inside a loop, with a marker block after each.
    pub reborn: Vec<(VarId, BlockId)>,
    /// Where the lengths of arrays of variable length are kept.
    pub lengths: BTreeMap<VarId, Reg>,
    /// Variables, by the offset of their declaration, that must be objects.
    pub forced: BTreeSet<usize>,
    /// Where each variable was declared in the preprocessed text.
    pub declared_at: Vec<usize>,
    /// Expressions whose order of evaluation may matter.
    pub doubts: Vec<Doubt>,
}

impl Proc {
    pub fn scratch(void: TypeId) -> Proc {
        Proc {
            name: String::new(),
            builder: Builder::default(),
            vars: Vec::new(),
            params: 0,
            ret: void,
            temps: 0,
            alive: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            labels: BTreeMap::new(),
            gotos: Vec::new(),
            switches: Vec::new(),
            taken: BTreeSet::new(),
            cursor: 0,
            end: 0,
            full: None,
            is_scratch: true,
            loops: 0,
            reborn: Vec::new(),
            lengths: BTreeMap::new(),
            forced: BTreeSet::new(),
            declared_at: Vec::new(),
            doubts: Vec::new(),
        }
    }
}

impl<'a> Lower<'a> {
    /// Lowers every body of the user's, and then those of system headers, and of error functions, that
    /// are called.
    pub fn lower_bodies(&mut self) {
        for i in 0..self.functions.len() {
            if self.functions[i].definition.is_some()
                && !self.functions[i].is_system
                && !is_error_function(&self.functions[i].name)
                && self.functions[i].proc.is_some()
            {
                self.lower_body(i);
            }
        }
        let mut done = BTreeSet::new();
        while let Some(i) = self.called.pop() {
            if done.insert(i) {
                self.lower_body(i);
            }
        }
    }

    fn lower_body(&mut self, index: usize) {
        let mut forced = BTreeSet::new();
        // Once in registers; again if a register would carry a value into a new lifetime.
        for _ in 0..3 {
            let diagnostics = self.diagnostics.len();
            let more = self.try_lower_body(index, forced.clone());
            if more.is_empty() {
                return;
            }
            self.diagnostics.truncate(diagnostics);
            forced.extend(more);
        }
    }

    fn try_lower_body(&mut self, index: usize, forced: BTreeSet<usize>) -> BTreeSet<usize> {
        let Some(definition) = self.functions[index].definition else {
            return BTreeSet::new();
        };
        let Some(proc) = self.functions[index].proc else {
            return BTreeSet::new();
        };
        self.enter_unit(self.functions[index].unit);
        let procedure = &self.procs[proc.0 as usize];
        let body = &definition.node.statement;
        self.f = Proc {
            name: procedure.name.clone(),
            vars: procedure.vars[..procedure.params].to_vec(),
            params: procedure.params,
            ret: procedure.ret,
            taken: taken::addresses_taken_in(body),
            cursor: body.span.start,
            end: body.span.end,
            is_scratch: false,
            declared_at: vec![usize::MAX; procedure.params],
            forced,
            ..Proc::scratch(self.ty.void)
        };
        self.scopes.enter();
        let names: Vec<String> = self.f.vars.iter().map(|v| v.name.clone()).collect();
        for (i, name) in names.iter().enumerate() {
            self.scopes.declare(name, Symbol::Local(VarId(i as u32)));
        }
        let begin = self.at(CSpan::span(body.span.start, body.span.start + 1));
        let end = self.at(CSpan::span(body.span.end.saturating_sub(1), body.span.end));
        let entry = self.f.builder.block();
        self.f.builder.start(entry, begin);
        if let (Some((span, reason)), "main") = (self.around_main, self.f.name.as_str()) {
            self.unsupported(span, reason);
        }
        self.parameters_fit();
        self.function_body(body);
        self.fall_off_the_end(end);
        self.scopes.leave();
        self.resolve_gotos();
        let state = std::mem::replace(&mut self.f, Proc::scratch(self.ty.void));
        let vars = state.vars.len();
        let mut again = BTreeSet::new();
        if !state.reborn.is_empty() {
            let live = trellis_program::cfg::live_in(&state.builder.raw(entry, end), vars);
            for (v, b) in &state.reborn {
                if live[b.0 as usize][v.0 as usize] {
                    again.insert(state.declared_at[v.0 as usize]);
                }
            }
        }
        if again.is_empty() {
            self.doubts.extend(state.doubts.into_iter().map(|d| d.of(proc)));
        }
        let body = state.builder.finish(entry, end);
        self.report_unsupported(&body);
        let procedure = &mut self.procs[proc.0 as usize];
        procedure.vars = state.vars;
        procedure.body = Some(body);
        again
    }

    /// Parameters have types that values can have, and those of `main` are what a host passes: a
    /// number, and arrays of strings.
    fn parameters_fit(&mut self) {
        let is_main = self.f.name == "main";
        for i in 0..self.f.params {
            let var = self.f.vars[i].clone();
            let shown = self.types.name(var.ty);
            let pointee = |ty| self.types.pointee(ty);
            let scalar = self.types.scalar(var.ty);
            let as_passed = match i {
                0 => matches!(scalar, Some(Scalar::Int(_))),
                _ => {
                    pointee(var.ty).and_then(pointee).and_then(|c| self.types.scalar(c))
                        == Some(Scalar::Int(IntKind::CHAR))
                }
            };
            if self.is_unknown(var.ty) {
                continue;
            } else if self.types.size_of(var.ty).is_none() {
                let message = format!("a parameter has the type `{shown}`, which is incomplete");
                self.error(var.span, message);
            } else if is_main && !as_passed {
                let expected = if i == 0 { "int" } else { "char **" };
                let message = format!("a parameter of `main` has the type `{shown}`");
                let d = Diagnostic::error(var.span, message);
                self.diagnostics.push(d.with_label(format!("expected `{expected}`")));
            }
        }
    }

    /// `main` returns 0; any other function returns an undefined value.
    fn fall_off_the_end(&mut self, end: Span) {
        if !self.f.builder.is_open() {
            return;
        }
        let ret = self.f.ret;
        let value = if ret == self.ty.void {
            None
        } else if self.f.name == "main" {
            Some(Expr::Int(0))
        } else {
            Some(self.no_value(ret, end))
        };
        self.f.builder.end(Terminator::Return(value), end);
    }

    /// The number of a function in the program.
    pub fn need_proc(&mut self, index: usize) -> ProcId {
        if let Some(p) = self.functions[index].proc {
            return p;
        }
        let id = ProcId(self.procs.len() as u32);
        let function = &self.functions[index];
        let void = self.ty.void;
        let (ret, params, is_variadic) = match &function.signature {
            Some(s) => (s.ret, s.params.clone(), s.is_variadic),
            None => (void, Vec::new(), false),
        };
        let (name, span, defined) =
            (function.name.clone(), function.span, function.definition.is_some());
        let taken = function
            .definition
            .map(|d| taken::addresses_taken_in(&d.node.statement))
            .unwrap_or_default();
        let (is_system, is_error) = (function.is_system, is_error_function(&function.name));
        let mut vars = Vec::new();
        for (i, p) in params.iter().enumerate() {
            let name = p.name.map_or_else(|| format!("%arg{}", i + 1), |n| n.node.name.clone());
            let is_scalar = self.types.scalar(p.ty).is_some();
            let storage = if is_scalar && !taken.contains(&name) {
                Storage::Register
            } else {
                Storage::Object
            };
            vars.push(Var {
                name,
                ty: p.ty,
                storage,
                is_temp: false,
                is_ghost: false,
                is_const: p.is_const,
                span: self.at(p.name.map_or(p.span, |n| n.span)),
            });
        }
        if defined && is_variadic {
            vars.push(self.rest_parameter(span));
        }
        self.procs.push(Procedure {
            name,
            span,
            params: vars.len(),
            vars,
            ret,
            body: None,
            contract: Contract::default(),
            has_contract: false,
        });
        self.functions[index].proc = Some(id);
        if defined && (is_system || is_error) {
            self.called.push(index);
        }
        id
    }

    /// A new temporary register.
    pub fn temp(&mut self, ty: TypeId, span: Span) -> Reg {
        self.new_temp(ty, Storage::Register, span)
    }

    /// A new temporary object, born here; it dies with the enclosing block.
    pub fn temp_object(&mut self, ty: TypeId, span: Span) -> Reg {
        let reg = self.lasting_object(ty, span);
        if let Reg::Local(var) = reg {
            self.f.alive.push(var);
        }
        reg
    }

    /// A new temporary object that dies when the procedure returns, or when it is born again.
    pub fn lasting_object(&mut self, ty: TypeId, span: Span) -> Reg {
        let reg = self.new_temp(ty, Storage::Object, span);
        if let Reg::Local(var) = reg {
            if self.f.loops > 0 || !self.f.labels.is_empty() {
                self.emit(InstrKind::EndLocal { var }, span);
            }
            self.emit(InstrKind::BeginLocal { var }, span);
        }
        reg
    }

    fn new_temp(&mut self, ty: TypeId, storage: Storage, span: Span) -> Reg {
        self.f.temps += 1;
        let var = Var {
            name: format!("%{}", self.f.temps),
            ty,
            storage,
            is_temp: true,
            is_ghost: false,
            is_const: false,
            span,
        };
        self.f.vars.push(var);
        self.f.declared_at.push(usize::MAX);
        Reg::Local(VarId(self.f.vars.len() as u32 - 1))
    }

    pub fn emit(&mut self, kind: InstrKind, span: Span) {
        self.f.builder.push(kind, span);
    }

    /// Marks the place as outside the subset; what comes after it is never relied on. Told when the
    /// body is finished, if the place can be reached at all.
    pub fn unsupported(&mut self, span: Span, reason: impl Into<String>) -> Val {
        self.emit(InstrKind::Unsupported { reason: reason.into() }, span);
        self.unknown()
    }

    /// Tells the user what in a body is outside the subset.
    fn report_unsupported(&mut self, body: &Body) {
        for instr in body.instrs() {
            if let InstrKind::Unsupported { reason } = &instr.kind
                && reason != super::order::SHARED
            {
                let message = format!("not supported: {reason}");
                self.diagnostics.push(Diagnostic::unsupported(instr.span, message));
            }
        }
    }

    /// Any value of a scalar type.
    pub fn havoc(&mut self, ty: TypeId, dst: Option<Reg>, span: Span) -> Val {
        let scalar = self.types.scalar(ty);
        match scalar {
            Some(scalar) => {
                let dst = dst.unwrap_or_else(|| self.temp(ty, span));
                self.emit(InstrKind::Havoc { dst, scalar }, span);
                Val { e: Expr::Reg(dst), ty }
            }
            None => self.unknown(),
        }
    }

    /// The scalar of a type that is known to be one.
    pub fn scalar(&self, ty: TypeId) -> Scalar {
        self.types.scalar(ty).unwrap_or(Scalar::Int(trellis_program::IntKind::INT))
    }

    /// A place in no file, for what the front end adds itself.
    pub fn nowhere(&self) -> Span {
        Span::new(FileId(0), 0, 0)
    }
}
