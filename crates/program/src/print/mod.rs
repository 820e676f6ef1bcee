//! The text that `trellis show` prints: a heap program as readable C-like code.
//!
//! * `lvalue`: `h->next` from an address and a type
//! * `code`: expressions, instructions, terminators
//! * `spec`: contracts in the user's syntax
//! * `tables`: checks and vocabulary
//! * `dot`: the control-flow graph for Graphviz
//!
//! Nothing here is parsed again by Trellis, except contracts: what [`print_formula`] prints can be
//! written into a contract.

mod code;
mod dot;
mod lvalue;
mod spec;
mod tables;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use crate::ir::{BlockId, Body, GlobalId, ProcId, Procedure, Program, Reg, Var};
use crate::source::Span;
use crate::spec::{Assigns, Formula, Term};
use crate::types::{IntKind, Type, TypeId, TypeTable};

pub use dot::cfg_dot;
pub(crate) use lvalue::part_at;
pub use tables::{print_checks, print_vocabulary};

/// Where the comments with line numbers begin.
const COMMENT_COLUMN: usize = 48;

/// A contract formula of `proc` as users write it.
pub fn print_formula(program: &Program, proc: ProcId, formula: &Formula) -> String {
    spec::Writer::new(program, Some(proc)).formula(formula, 0)
}

/// A contract term of `proc` as users write it.
pub fn print_term(program: &Program, proc: ProcId, term: &Term) -> String {
    spec::Writer::new(program, Some(proc)).term(term, 0)
}

/// A whole program: types, globals, predicates, procedures.
pub fn print_program(program: &Program) -> String {
    let mut out = String::new();
    for (_, record) in program.types.records().filter(|(_, r)| r.complete) {
        let _ = writeln!(out, "{} {{ // {} bytes", record.name, record.size);
        for f in &record.fields {
            let _ = writeln!(out, "    {};", declare(&program.types, f.ty, &f.name));
        }
        out.push_str("};\n\n");
    }
    for i in 0..program.globals.len() {
        let global = program.global(GlobalId(i as u32));
        let ghost = if global.is_ghost { "ghost " } else { "" };
        let declaration = declare(&program.types, global.ty, &global.name);
        let _ = writeln!(out, "{ghost}{declaration};");
    }
    if !program.globals.is_empty() {
        out.push('\n');
    }
    for predicate in &program.predicates {
        let _ = writeln!(out, "//@ {}", tables::predicate(program, predicate));
    }
    if !program.predicates.is_empty() {
        out.push('\n');
    }
    let procs = (0..program.procs.len() as u32).map(|p| print_procedure(program, ProcId(p)));
    out.push_str(&procs.collect::<Vec<_>>().join("\n"));
    out
}

/// One procedure: contract, variables, blocks.
pub fn print_procedure(program: &Program, id: ProcId) -> String {
    let proc = program.proc(id);
    let mut out = contract(program, id, proc);
    let params: Vec<String> =
        proc.vars[..proc.params].iter().map(|v| declare(&program.types, v.ty, &v.name)).collect();
    let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
    let head = declare(&program.types, proc.ret, &format!("{}({params})", proc.name));
    let Some(body) = &proc.body else {
        let _ = writeln!(out, "{head};");
        return out;
    };
    let _ = writeln!(out, "{head} {{");
    for var in &proc.vars[proc.params..] {
        let _ = writeln!(out, "    {}", local(program, var));
    }
    let heads = crate::cfg::loop_heads(body);
    for b in 0..body.blocks.len() {
        let b = BlockId(b as u32);
        let note = if heads.contains(&b) { " // loop head" } else { "" };
        let _ = writeln!(out, "  {}:{note}", label(b));
        block(program, id, body, b, |line, span| {
            let text = format!("    {line}");
            let _ = match span {
                Some(line) => writeln!(out, "{text:<COMMENT_COLUMN$} // line {line}"),
                None => writeln!(out, "{text}"),
            };
        });
    }
    out.push_str("}\n");
    out
}

/// The lines of a block, each with its source line if that is known.
fn block(
    program: &Program,
    proc: ProcId,
    body: &Body,
    id: BlockId,
    mut line: impl FnMut(String, Option<usize>),
) {
    let writer = code::Writer { program, proc };
    let block = &body.blocks[id.0 as usize];
    for instr in &block.instrs {
        line(writer.instr(&instr.kind), line_of(program, instr.span));
    }
    line(writer.terminator(&block.term), line_of(program, block.term_span));
}

fn line_of(program: &Program, span: Span) -> Option<usize> {
    (span.end > span.start).then(|| program.sources.line_col(span).0)
}

fn label(b: BlockId) -> String {
    format!("b{}", b.0)
}

fn local(program: &Program, var: &Var) -> String {
    let ghost = if var.is_ghost { "ghost " } else { "" };
    let place = match var.storage {
        crate::ir::Storage::Register => "",
        crate::ir::Storage::Object => " // in memory",
    };
    let declaration = declare(&program.types, var.ty, &var.name);
    format!("{ghost}{declaration};{place}")
}

fn contract(program: &Program, id: ProcId, proc: &Procedure) -> String {
    let mut lines = Vec::new();
    let writer = spec::Writer::new(program, Some(id));
    for clause in &proc.contract.requires {
        lines.push(format!("requires {};", writer.formula(&clause.formula, 0)));
    }
    if let Assigns::Places(items, _) = &proc.contract.assigns {
        let items: Vec<String> = items.iter().map(|i| writer.assigns(i)).collect();
        let items = if items.is_empty() { "\\nothing".to_string() } else { items.join(", ") };
        lines.push(format!("assigns {items};"));
    }
    let writer = writer.in_ensures();
    for clause in &proc.contract.ensures {
        lines.push(format!("ensures {};", writer.formula(&clause.formula, 0)));
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("/*@ {} */\n", lines.join("\n    "))
}

/// A C declaration: the type before the name, array bounds after it.
fn declare(types: &TypeTable, ty: TypeId, name: &str) -> String {
    let (mut bounds, mut inner) = (String::new(), ty);
    while let Type::Array(element, n) = types.get(inner) {
        let _ = write!(bounds, "[{n}]");
        inner = *element;
    }
    let base = types.name(inner);
    let space = if base.ends_with('*') { "" } else { " " };
    format!("{base}{space}{name}{bounds}")
}

/// The name of an integer type.
fn int_name(types: &TypeTable, kind: IntKind) -> String {
    types.find(&Type::Int(kind)).map_or_else(
        || {
            let sign = if kind.signed { "" } else { "u" };
            format!("{sign}int{}_t", kind.bits)
        },
        |t| types.name(t),
    )
}

/// A variable as seen from a procedure, or, in a predicate's body, a global.
fn reg_name(program: &Program, proc: Option<ProcId>, reg: Reg) -> String {
    match (reg, proc) {
        (Reg::Local(_), Some(p)) => program.reg_name(p, reg).to_string(),
        (Reg::Local(v), None) => format!("%{}", v.0),
        (Reg::Global(g), _) => program.global(g).name.clone(),
    }
}
