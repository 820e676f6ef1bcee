//! Graphs for people.

mod short;

use std::collections::BTreeSet;
use std::fmt::Write;

use trellis_program::{Storage, TypeId, TypeTable, Var};

use crate::arguments::Arguments;
use crate::buffer::{Buffer, Tail};
use crate::code::Code;
use crate::graph::{Alt, Graph, Kind, Node, Object, Summary};
use crate::value::{End, Formal, Range, Value};

pub use short::short;

/// A graph in one line: what variables hold, then what they lead to.
pub fn graph(code: &Code<'_>, graph: &Graph) -> String {
    described(code, graph, &code.program.proc(code.proc).vars, Vec::new())
}

/// The same of a graph at a return, where there is the result only.
pub fn exit(code: &Code<'_>, graph: &Graph) -> String {
    let result = graph.locals.first().filter(|v| !matches!(v, Value::Any | Value::Undef));
    let result = result.map(|v| format!("the result = {}", value(graph, *v)));
    described(code, graph, &[], result.into_iter().collect())
}

fn described(code: &Code<'_>, graph: &Graph, vars: &[Var], mut parts: Vec<String>) -> String {
    let types = &code.program.types;
    let mut objects: Vec<(u32, String)> = Vec::new();
    for (var, v) in vars.iter().zip(&graph.locals) {
        match (var.storage, v) {
            (Storage::Object, Value::Ptr(p)) => objects.push((p.node, var.name.clone())),
            (Storage::Register, v) if *v != Value::Any && !var.is_temp => {
                parts.push(format!("{} = {}", var.name, value(graph, *v)));
            }
            _ => {}
        }
    }
    for (global, v) in code.program.globals.iter().zip(&graph.globals) {
        match (global.storage, v) {
            (Storage::Object, Value::Ptr(p)) => objects.push((p.node, global.name.clone())),
            (Storage::Register, v) => parts.push(format!("{} = {}", global.name, value(graph, *v))),
            _ => {}
        }
    }
    let shown: BTreeSet<u32> = interesting(code, graph);
    for id in graph.ids().filter(|id| shown.contains(id)) {
        let name = objects.iter().find(|(node, _)| *node == id).map(|(_, name)| name.clone());
        let head = name.unwrap_or_else(|| format!("#{id}"));
        match graph.node(id) {
            Node::Object(o) => parts.push(format!("{head}: {}", object(types, graph, o))),
            Node::Buffer(b) => parts.push(format!("{head}: {}", buffer(graph, b))),
            Node::Arguments(a) => parts.push(format!("{head}: {}", arguments(graph, a))),
            Node::Summary(s) => parts.push(format!("{head}: {}", summary(types, graph, s))),
            Node::Child { .. } => {}
        }
    }
    for (i, v) in graph.held.iter().enumerate() {
        parts.push(format!("callers hold ({}) {}", i + 1, value(graph, *v)));
    }
    if graph.lost {
        parts.push("memory was lost".to_owned());
    }
    if parts.is_empty() { "nothing is allocated".to_owned() } else { parts.join(", ") }
}

/// All but constant globals that nobody points to.
fn interesting(code: &Code<'_>, graph: &Graph) -> BTreeSet<u32> {
    let constants = code.program.globals.iter().zip(&graph.globals);
    let constants: BTreeSet<u32> = constants
        .filter(|(g, _)| g.is_const && g.storage == Storage::Object)
        .filter_map(|(_, v)| v.place().map(|p| p.node))
        .collect();
    graph.ids().filter(|id| !constants.contains(id)).collect()
}

fn range(r: Range) -> String {
    let hole = r.hole.map(|h| format!(" but {h}")).unwrap_or_default();
    match (r.lo, r.hi) {
        (lo, hi) if hi as i128 - lo as i128 >= i128::from(u32::MAX) => format!("any{hole}"),
        (lo, hi) => format!("{lo}..{hi}{hole}"),
    }
}

fn value(graph: &Graph, v: Value) -> String {
    let moved = |off: i32| match off {
        0 => String::new(),
        off => format!("{off:+}"),
    };
    match v {
        Value::Any => "-".to_owned(),
        Value::Undef => "undefined".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Int(i) => i.to_string(),
        Value::Sym(s) => {
            let r = graph.ranges.get(s as usize).map(|r| range(*r)).unwrap_or_default();
            format!("v{s} ({r})")
        }
        Value::Range(r) => range(r),
        Value::Ptr(p) => {
            let end = if p.end == End::Last { "last of " } else { "" };
            let at = p.at.map(|s| format!(" at {}", value(graph, Value::Sym(s))));
            format!("{end}#{}{}{}", p.node, at.unwrap_or_default(), moved(p.off))
        }
        Value::Freed => "freed".to_owned(),
        Value::Mixed => "bytes".to_owned(),
        Value::Formal(Formal::Next, d) => format!("next{}", moved(d)),
        Value::Formal(Formal::Prev, d) => format!("prev{}", moved(d)),
        Value::Formal(Formal::Param(k), d) => format!("param{k}{}", moved(d)),
    }
}

fn type_name(types: &TypeTable, ty: Option<TypeId>) -> String {
    let record = ty.and_then(|ty| types.as_record(ty));
    record.map_or_else(String::new, |r| types.record(r).name.clone())
}

fn object(types: &TypeTable, graph: &Graph, o: &Object) -> String {
    let layout = o.ty.and_then(|ty| types.layout(ty));
    let mut out = type_name(types, o.ty);
    let cells: Vec<String> = o
        .cells
        .iter()
        .enumerate()
        .map(|(i, v)| {
            let path = layout.and_then(|l| l.cells.get(i)).map_or("", |c| c.path.as_str());
            match path {
                "" => value(graph, *v),
                path => format!("{path}: {}", value(graph, *v)),
            }
        })
        .collect();
    // The output goes into a string, so it cannot fail.
    let _ = write!(out, "{{{}}}", cells.join(", "));
    out
}

fn buffer(graph: &Graph, b: &Buffer) -> String {
    let (size, length) = (value(graph, b.size), value(graph, b.length));
    if b.passed {
        return format!("a string of {length} characters that the host passes");
    }
    let second = match b.more {
        Value::Any => String::new(),
        more => format!(", then another one up to {}", value(graph, more)),
    };
    match b.tail {
        Tail::Unknown => format!("{size} bytes, {length} characters"),
        Tail::Zero => format!("{size} bytes, a string of {length} characters{second}"),
        Tail::Zeros => format!("{size} bytes, a string of {length} characters, zeros"),
    }
}

fn arguments(graph: &Graph, a: &Arguments) -> String {
    let seen =
        a.seen.iter().map(|(at, s)| format!(", at {} {}", value(graph, *at), value(graph, *s)));
    let seen: String = seen.collect();
    format!("pointers to the host's strings up to byte {}{seen}, then null", value(graph, a.end))
}

fn summary(types: &TypeTable, graph: &Graph, s: &Summary) -> String {
    let many = match s.least {
        0 => "any number of".to_owned(),
        1 => "one or more".to_owned(),
        n => format!("{n} or more"),
    };
    let alts: Vec<String> = s.alts.iter().map(|a| alternative(types, a)).collect();
    let what = alts.join(" or ");
    let params: Vec<String> = s
        .params
        .iter()
        .enumerate()
        .map(|(k, v)| format!(", param{k} = {}", value(graph, *v)))
        .collect();
    let params = params.concat();
    match s.kind {
        Kind::Segment => format!("{many} {what}, then {}{params}", value(graph, s.next)),
        Kind::Tree => format!("a tree of {many} {what}{params}"),
    }
}

fn alternative(types: &TypeTable, alt: &Alt) -> String {
    let none = Graph::default();
    let mut parts = Vec::new();
    for (i, node) in alt.nodes.iter().enumerate() {
        let text = match node {
            Node::Object(o) => object(types, &none, o),
            Node::Buffer(b) => buffer(&none, b),
            Node::Arguments(a) => arguments(&none, a),
            Node::Summary(s) => summary(types, &none, s),
            Node::Child { .. } => "a subtree".to_owned(),
        };
        parts.push(if i == 0 { text } else { format!("#{i}: {text}") });
    }
    match parts.len() {
        1 => parts.concat(),
        _ => format!("({})", parts.join(" with ")),
    }
}
