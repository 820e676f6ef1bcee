//! Tables: the checks of a program, and the vocabulary that contracts can use.

use std::fmt::Write;

use trellis_logic::Arena;

use super::declare;
use super::spec::{Writer, sort_declaration};
use crate::checks::CheckTable;
use crate::ir::{GlobalId, ProcId, Program, Reg, Storage, VarId};
use crate::spec::Predicate;
use crate::types::Scalar;
use crate::view::{self, ProgramVocabulary};

/// All checks, one a line: id, place, what is wrong if it fails.
pub fn print_checks(program: &Program, checks: &CheckTable) -> String {
    let rows = checks.iter().map(|(_, c)| {
        [c.name.clone(), program.sources.locate(c.span), c.kind.failure().to_string()]
    });
    columns(rows.collect())
}

/// Rows with their columns aligned, without spaces at line ends.
fn columns<const N: usize>(rows: Vec<[String; N]>) -> String {
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(c, w)| format!("{c:<w$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// `predicate name(params) = body;`
pub(super) fn predicate(program: &Program, p: &Predicate) -> String {
    let writer = Writer::new(program, None);
    let (_, body) = writer.with(&p.params, |w| p.body.as_ref().map(|f| w.formula(f, 0)));
    let params: Vec<String> =
        p.params.iter().map(|b| sort_declaration(&program.types, b.sort, &b.name)).collect();
    let head = format!("predicate {}({})", p.name, params.join(", "));
    match body {
        Some(body) => format!("{head} = {body};"),
        None => format!("{head};"),
    }
}

/// What contracts of a procedure can talk about (types of objects, fields and how they are
/// followed, variables, predicates), and its clauses in the logic, each with its fragment.
pub fn print_vocabulary(program: &Program, proc: ProcId) -> String {
    let vocabulary = view::vocabulary(program, proc);
    let types = &program.types;
    let mut objects = Vec::new();
    let (mut pointers, mut integers) = (Vec::new(), Vec::new());
    for ty in vocabulary.object_types() {
        let tell = vocabulary.type_relation(ty).map(|r| &vocabulary.logic.rel(r).name);
        let tell = tell.map_or(String::new(), |name| format!("{name}(x)"));
        objects.push([format!("  {}", types.name(ty)), tell]);
        let (Some(_), Some(layout)) = (types.as_record(ty), types.layout(ty)) else {
            continue;
        };
        for cell in &layout.cells {
            let name = format!("  {}.{}", types.name(ty), cell.path);
            let symbol = vocabulary.cell_of(ty, cell.offset, cell.scalar);
            let note = match &symbol {
                Ok(field) => field.closure.map_or(String::new(), |_| {
                    format!("reach({}, x, y)", vocabulary.logic.fun(field.fun.now).name)
                }),
                Err(refused) => format!("not in the logic: {refused}"),
            };
            match cell.scalar {
                Scalar::Ptr(to) => {
                    let ty = format!("{} ", types.name(to));
                    pointers.push([name, format!("{}*", ty.replace("* ", "*")), note]);
                }
                Scalar::Int(kind) => integers.push([name, super::int_name(types, kind), note]),
                Scalar::Float(_) | Scalar::Bits(_) => {}
            }
        }
    }
    let mut out = String::new();
    let mut section = |title: &str, body: String| {
        if !body.is_empty() {
            let _ = write!(out, "{title}\n{body}");
        }
    };
    section("objects", columns(objects));
    section("pointer fields", columns(pointers));
    section("integer fields", columns(integers));
    let variable = |reg: Reg, ty, name: &str, storage| {
        let note = match vocabulary.reg(reg) {
            Err(refused) if storage == Storage::Register => format!("not in the logic: {refused}"),
            _ => String::new(),
        };
        [format!("  {}", declare(types, ty, name)), note]
    };
    let globals = program.globals.iter().enumerate();
    let globals =
        globals.map(|(i, g)| variable(Reg::Global(GlobalId(i as u32)), g.ty, &g.name, g.storage));
    section("globals", columns(globals.collect()));
    let procedure = program.proc(proc);
    let locals = procedure.vars.iter().enumerate().filter(|(_, v)| !v.is_temp);
    let locals =
        locals.map(|(i, v)| variable(Reg::Local(VarId(i as u32)), v.ty, &v.name, v.storage));
    section(&format!("variables of {}", procedure.name), columns(locals.collect()));
    let predicates = program.predicates.iter().map(|p| format!("  {}\n", predicate(program, p)));
    section("predicates", predicates.collect());
    section(&format!("clauses of {} in the logic", procedure.name), clauses(program, &vocabulary));
    out
}

/// Every clause: its keyword and line, its fragment, and below it the formula.
fn clauses(program: &Program, vocabulary: &ProgramVocabulary) -> String {
    /// As wide as our own text.
    const WIDTH: usize = 96;
    let mut arena = Arena::new();
    let mut out = String::new();
    for clause in view::clauses(program, vocabulary, &mut arena) {
        let line = super::line_of(program, clause.span);
        let line = line.map_or(String::new(), |l| format!(", line {l}"));
        let _ = write!(out, "  {}{line}: ", clause.keyword);
        let _ = match clause.formula {
            Err(refused) => writeln!(out, "not in the logic: {refused}"),
            Ok((id, fragment)) => {
                let text = arena.print_wrapped(&vocabulary.logic, id, WIDTH);
                let text = text.replace('\n', "\n    ");
                writeln!(out, "{}\n    {text}", view::fragment_name(&fragment))
            }
        };
    }
    out
}
