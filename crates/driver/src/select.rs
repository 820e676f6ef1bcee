//! Which procedures of a file are verified.
//!
//! Without a word from the user these are the procedures that say what they promise, and `main`;
//! in a file without either, everything the user wrote there.

use trellis_program::checks::is_error_function;
use trellis_program::source::{Role, suggest};
use trellis_program::{Diagnostic, ProcId, Program};

/// What the user asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Selection {
    /// Procedures with a contract and a body, and `main`; if there are none, as [`Selection::All`].
    #[default]
    Promising,
    /// Every procedure with a body in the user's own files (not in a header or a model); if these
    /// have none, in the `.c` files that they include.
    All,
    /// The named ones.
    Named(Vec<String>),
}

/// The procedures to verify, in the order of the file (named ones: in the order given).
///
/// # Errors
/// One diagnostic for every name that is not a procedure with a body.
pub fn select(program: &Program, selection: &Selection) -> Result<Vec<ProcId>, Vec<Diagnostic>> {
    match selection {
        Selection::Promising => {
            let promising: Vec<ProcId> = bodies(program)
                .filter(|&p| role(program, p) != Role::Model)
                .filter(|&p| program.proc(p).has_contract || program.proc(p).name == "main")
                .collect();
            if promising.is_empty() {
                return select(program, &Selection::All);
            }
            Ok(promising)
        }
        Selection::All => {
            let own: Vec<ProcId> =
                of_interest(program).filter(|&p| role(program, p) == Role::Own).collect();
            // A file that only includes others is those.
            let included = |p: &ProcId| {
                let file = program.sources.file(program.proc(*p).span.file);
                role(program, *p) == Role::Included && file.name.ends_with(".c")
            };
            let all =
                if own.is_empty() { of_interest(program).filter(included).collect() } else { own };
            Ok(all)
        }
        Selection::Named(names) => {
            let (mut found, mut missing) = (Vec::new(), Vec::new());
            for name in names {
                match find(program, name) {
                    Ok(p) if found.contains(&p) => {}
                    Ok(p) => found.push(p),
                    Err(d) => missing.push(d),
                }
            }
            if missing.is_empty() { Ok(found) } else { Err(missing) }
        }
    }
}

/// The procedure of that name, with a body.
///
/// # Errors
/// A diagnostic that suggests a near name, or points at the declaration without a body.
pub fn find(program: &Program, name: &str) -> Result<ProcId, Diagnostic> {
    match program.find_proc(name) {
        Some(p) if program.proc(p).body.is_some() => Ok(p),
        Some(p) => {
            Err(Diagnostic::error(program.proc(p).span, format!("procedure `{name}` has no body"))
                .with_label("only declared"))
        }
        None => {
            let names: Vec<&str> = bodies(program).map(|p| program.proc(p).name.as_str()).collect();
            let error = Diagnostic::plain_error(format!("no procedure is called `{name}`"));
            Err(match suggest(name, names.iter().copied()) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None if names.is_empty() => error.with_help("the file defines no procedure"),
                None => error.with_help(format!("the file defines {}", quoted(&names))),
            })
        }
    }
}

/// Those with a body; what the error function does is of interest where it is called only.
fn of_interest(program: &Program) -> impl Iterator<Item = ProcId> + '_ {
    bodies(program).filter(|&p| !is_error_function(&program.proc(p).name))
}

fn bodies(program: &Program) -> impl Iterator<Item = ProcId> + '_ {
    (0..program.procs.len() as u32).map(ProcId).filter(|&p| program.proc(p).body.is_some())
}

/// What the file that defines a procedure is to the program.
fn role(program: &Program, proc: ProcId) -> Role {
    program.sources.role(program.proc(proc).span)
}

/// `` `a`, `b`, … `` with at most eight names.
fn quoted(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|n| format!("`{n}`")).collect();
    let more = if names.len() > 8 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
