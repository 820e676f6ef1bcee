//! Tables: the checks of a program, and the vocabulary that contracts can use.

use std::fmt::Write;

use super::declare;
use super::spec::{Writer, sort_declaration};
use crate::checks::CheckTable;
use crate::ir::{ProcId, Program};
use crate::spec::Predicate;
use crate::types::{Scalar, Type};

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

/// What contracts of a procedure can talk about: pointer fields and how they are followed, integer
/// fields, variables, predicates.
pub fn print_vocabulary(program: &Program, proc: ProcId) -> String {
    let types = &program.types;
    let (mut pointers, mut integers) = (Vec::new(), Vec::new());
    for ty in types.ids() {
        let Type::Record(r) = types.get(ty) else {
            continue;
        };
        let Some(layout) = types.layout(ty) else {
            continue;
        };
        for cell in &layout.cells {
            let name = format!("  {}.{}", types.record(*r).name, cell.path);
            match cell.scalar {
                Scalar::Ptr(to) => {
                    let follow = if to == ty {
                        format!("reach({0}, x, y)  ls({0}, x, y)", cell.path)
                    } else {
                        String::new()
                    };
                    pointers.push([name, format!("{} *", types.name(to)), follow]);
                }
                Scalar::Int(kind) => integers.push([name, super::int_name(types, kind)]),
                Scalar::Float(_) => {}
            }
        }
    }
    let mut out = String::new();
    let mut section = |title: &str, body: String| {
        if !body.is_empty() {
            let _ = write!(out, "{title}\n{body}");
        }
    };
    section("pointer fields", columns(pointers));
    section("integer fields", columns(integers));
    let lines =
        |items: Vec<String>| items.into_iter().map(|i| format!("  {i}\n")).collect::<String>();
    let globals = program.globals.iter().map(|g| declare(types, g.ty, &g.name));
    section("globals", lines(globals.collect()));
    let procedure = program.proc(proc);
    let locals = procedure.vars.iter().filter(|v| !v.is_temp);
    let locals = locals.map(|v| declare(types, v.ty, &v.name));
    section(&format!("variables of {}", procedure.name), lines(locals.collect()));
    let predicates = program.predicates.iter().map(|p| predicate(program, p));
    section("predicates", lines(predicates.collect()));
    out
}
