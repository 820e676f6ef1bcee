//! The heaps of violations for Graphviz: a graph with a cluster a state, in the order of the run.

use std::io::{self, Write};

use trellis_logic::drawing::Target;
use trellis_program::concrete::drawing::StateDrawing;

use super::{at, violations};
use crate::model::Report;

/// Writes the document.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    writeln!(out, "digraph trellis {{\n  rankdir=LR;\n  node [shape=box];")?;
    let mut cluster = 0;
    for procedure in report.files.iter().flat_map(|f| &f.procedures) {
        for violation in violations(procedure) {
            for step in violation.trace {
                let Some(picture) = &step.picture else { continue };
                writeln!(out, "  subgraph cluster_{cluster} {{")?;
                let title =
                    format!("{}: {} {}", violation.check.id, step.procedure, at(&step.span));
                writeln!(out, "    label={};", quoted(&title))?;
                state(out, cluster, picture)?;
                writeln!(out, "  }}")?;
                cluster += 1;
            }
        }
    }
    writeln!(out, "}}")
}

/// One state; names of nodes begin with its number.
fn state(out: &mut dyn Write, number: usize, picture: &StateDrawing) -> io::Result<()> {
    let drawing = &picture.drawing;
    let mut ends = 0;
    let mut target = |out: &mut dyn Write, to: &Target| -> io::Result<String> {
        let (name, label) = match to {
            Target::Node(n) => return Ok(format!("s{number}n{}", n.0)),
            Target::Null => ("null", "null"),
            Target::Dangling => ("gone", "?"),
        };
        // An end of its own for every pointer: arrows to one null say nothing.
        ends += 1;
        let id = format!("s{number}{name}{ends}");
        writeln!(out, "    {id} [shape=plaintext, label={}];", quoted(label))?;
        Ok(id)
    };
    for (i, node) in drawing.nodes.iter().enumerate() {
        let mut label = node.label.clone();
        for (field, value) in &node.values {
            label.push_str(&match value.is_empty() {
                true => format!("\n{field}"),
                false => format!("\n{field} = {value}"),
            });
        }
        let style = if node.freed { ", style=dashed, color=red" } else { "" };
        writeln!(out, "    s{number}n{i} [label={}{style}];", quoted(&label))?;
    }
    for edge in &drawing.edges {
        let to = target(out, &edge.to)?;
        let style = if edge.maybe { ", style=dashed" } else { "" };
        let label = quoted(&edge.field);
        writeln!(out, "    s{number}n{} -> {to} [label={label}{style}];", edge.from.0)?;
    }
    for (i, pointer) in drawing.pointers.iter().enumerate() {
        let to = target(out, &pointer.to)?;
        let (id, label) = (format!("s{number}v{i}"), quoted(&pointer.name));
        writeln!(out, "    {id} [shape=plaintext, label={label}];\n    {id} -> {to};")?;
    }
    for (i, (name, value)) in picture.values.iter().enumerate() {
        let label = quoted(&format!("{name} = {value}"));
        writeln!(out, "    s{number}k{i} [shape=plaintext, label={label}];")?;
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
