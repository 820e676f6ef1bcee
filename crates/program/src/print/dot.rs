//! The control-flow graph as Graphviz text.

use std::fmt::Write;

use super::{block, label};
use crate::ir::{BlockId, ProcId, Program, Terminator};

/// The control-flow graph of a procedure; empty of nodes if it has no body.
pub fn cfg_dot(program: &Program, id: ProcId) -> String {
    let proc = program.proc(id);
    let mut out =
        format!("digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n", proc.name);
    let Some(body) = &proc.body else {
        out.push_str("}\n");
        return out;
    };
    let heads = crate::cfg::loop_heads(body);
    for (b, code) in body.blocks.iter().enumerate() {
        let b = BlockId(b as u32);
        let name = label(b);
        let mut text = format!("{name}:\\l");
        block(program, id, body, b, |line, _| {
            let _ = write!(text, "{}\\l", escape(&line));
        });
        let shape = if heads.contains(&b) { ", peripheries=2" } else { "" };
        let _ = writeln!(out, "  {name} [label=\"{text}\"{shape}];");
        let _ = match &code.term {
            Terminator::Goto(t) => writeln!(out, "  {name} -> {};", label(*t)),
            Terminator::Branch { then, els, .. } => writeln!(
                out,
                "  {name} -> {} [label=\"yes\"];\n  {name} -> {} [label=\"no\"];",
                label(*then),
                label(*els)
            ),
            Terminator::Return(_)
            | Terminator::Exit
            | Terminator::ExitFreed
            | Terminator::Abort => Ok(()),
        };
    }
    out.push_str("}\n");
    out
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
