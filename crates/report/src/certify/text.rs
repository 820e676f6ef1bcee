//! The document about a certificate, for people.

use std::io::{self, Write};

use trellis_program::{CheckKind, CheckSet};

use super::{Claimed, Document, Open};

/// Writes the document for people.
///
/// # Errors
/// Those of the writer.
pub fn write_text(out: &mut dyn Write, document: &Document) -> io::Result<()> {
    let Some(claim) = &document.claim else {
        let why = document.undecided.as_deref().unwrap_or("nothing was asked");
        return writeln!(out, "{}: not decided\n  {why}", document.certificate);
    };
    let head = format!("{} in {}", claim.procedure, claim.source);
    let Some(found) = &document.found else {
        let why = document.undecided.as_deref().unwrap_or("nothing was asked");
        writeln!(out, "{head}: not decided")?;
        writeln!(out, "  {why}")?;
        return write_claim(claim, out);
    };
    writeln!(out, "{head}: {}", found.outcome.replace('-', " "))?;
    if let Some(states) = found.shapes {
        writeln!(out, "  shapes of lists, tried with {}", count(states as usize, "state"))?;
    } else if let Some(followed) = found.graphs {
        let followed = count(followed as usize, "memory graph");
        writeln!(out, "  {followed}, followed from loop to loop")?;
    } else if let Some(cases) = found.patterns {
        writeln!(out, "  heap patterns, tried with {}", count(cases as usize, "case"))?;
    } else if let Some(states) = found.exhaustion {
        writeln!(out, "  all {} visited", count(states as usize, "state"))?;
    } else if found.objection.is_none() {
        writeln!(
            out,
            "  {} for {} at {}",
            count(found.conditions, "condition"),
            count(claim.clauses, "clause"),
            count(claim.cut_points, "loop")
        )?;
    }
    if let Some(why) = &found.objection {
        writeln!(out, "  {why}")?;
    }
    write_claim(claim, out)?;
    if found.entry == "impossible" {
        writeln!(out, "  note: the precondition never holds, so there is nothing to prove")?;
    }
    for solver in &found.solvers {
        let shown = count(solver.shown, "condition");
        writeln!(out, "  {} showed {shown} in {:.2} s", solver.solver, solver.seconds)?;
    }
    if let Some(proofs) = &found.proofs {
        let accepted = count(proofs.accepted, "solver proof");
        writeln!(out, "  {accepted} in {}, accepted by the checker", proofs.directory)?;
    }
    if let Some(machine) = &found.machine {
        let head = match machine.outcome {
            "held" => "held on the machine",
            "contradicted" => "internal error: the machine contradicts what was shown",
            _ => "not tried on the machine",
        };
        writeln!(out, "  {head}: {}", machine.text)?;
    }
    if let Some(why) = &document.undecided {
        writeln!(out, "  {why}; not all conditions were looked at")?;
    }
    for open in &found.open {
        write_open(open, out)?;
    }
    Ok(())
}

/// What is proved, and under which conditions: everything that the file could have chosen.
fn write_claim(claim: &Claimed, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  checks: {}", claim.checks.join(", "))?;
    let off = |kind: &CheckKind| !claim.checks.iter().any(|c| c == kind.name());
    let off: Vec<&str> = CheckSet::default().iter().filter(off).map(|kind| kind.name()).collect();
    if !off.is_empty() {
        writeln!(out, "  not checked: {}", off.join(", "))?;
    }
    if claim.malloc_may_fail {
        writeln!(out, "  malloc may fail")?;
    }
    match claim.contract.is_empty() {
        true => writeln!(out, "  contract: none")?,
        false => writeln!(out, "  contract: {}", claim.contract.join(" "))?,
    }
    if !claim.defines.is_empty() {
        writeln!(out, "  macros: {}", claim.defines.join(", "))?;
    }
    if !claim.include_dirs.is_empty() {
        writeln!(out, "  headers also from: {}", claim.include_dirs.join(", "))?;
    }
    writeln!(out, "  assumes: {}", claim.assumptions.join("; "))
}

fn write_open(open: &Open, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    writeln!(out, "{}: {}", open.kind, open.text)?;
    let file = &open.place.file;
    let steps: Vec<String> = open
        .path
        .iter()
        .map(
            |p| if p.file == *file { p.line.to_string() } else { format!("{}:{}", p.file, p.line) },
        )
        .collect();
    writeln!(out, "  lines {}", steps.join(" → "))?;
    if let (Some(number), Some(text)) = (open.clause, &open.clause_text) {
        writeln!(out, "  clause {number}: {text}")?;
    }
    if open.disagreement {
        writeln!(out, "  the solvers disagree: one of them is wrong")?;
    }
    for said in &open.answers {
        match &said.reason {
            Some(why) => writeln!(out, "  {}: {}: {why}", said.solver, said.answer)?,
            None => writeln!(out, "  {}: {}", said.solver, said.answer)?,
        }
    }
    if !open.state.is_empty() {
        writeln!(out, "  before:")?;
    }
    for line in &open.state {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
