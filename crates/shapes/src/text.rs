//! Abstract heaps in one line, for people: `x ->+ y -> NULL, t = NULL`.

use crate::heap::{Heap, Lengths, Ref};
use crate::program::{ANY_INT, ListProgram, UNDEF_INT};

/// A heap in one line. Variables that do not matter are left out.
pub fn shape(program: &ListProgram, heap: &Heap) -> String {
    let node_names = node_names(program, heap);
    let mut parts = Vec::new();
    for (i, names) in node_names.iter().enumerate() {
        let segment = heap.nodes[i];
        let to = match segment.to.index() {
            Some(j) => node_names[j][0].clone(),
            None => end(segment.to).to_owned(),
        };
        parts.push(format!("{} {} {to}", names.join(" = "), arrow(segment.lengths)));
    }
    for value in [Ref::NULL, Ref::DANGLING] {
        let vars = program.vars.iter().zip(&heap.vars).filter(|(_, r)| **r == value);
        let mut names: Vec<&str> = vars.map(|(v, _)| v.name.as_str()).collect();
        if !names.is_empty() {
            names.push(end(value));
            parts.push(names.join(" = "));
        }
    }
    for (name, code) in program.ints.iter().zip(&heap.ints) {
        if *code != ANY_INT && *code != UNDEF_INT {
            parts.push(format!("{name} = {}", program.constants[*code as usize]));
        }
    }
    if heap.garbage.any() {
        parts.push("a node is lost".to_owned());
    }
    if parts.is_empty() { "anything".to_owned() } else { parts.join(", ") }
}

/// The variables that point to each interruption; shared nodes without one are `s1`, `s2`, ….
pub fn node_names(program: &ListProgram, heap: &Heap) -> Vec<Vec<String>> {
    let mut names: Vec<Vec<String>> = vec![Vec::new(); heap.nodes.len()];
    for (var, r) in program.vars.iter().zip(&heap.vars) {
        if let Some(i) = r.index() {
            names[i].push(var.name.clone());
        }
    }
    let unnamed = names.iter_mut().filter(|n| n.is_empty());
    unnamed.zip(1..).for_each(|(n, k)| n.push(format!("s{k}")));
    names
}

fn end(r: Ref) -> &'static str {
    match r {
        Ref::NULL => "NULL",
        Ref::UNDEF => "undefined",
        Ref::DANGLING => "freed",
        _ => "…",
    }
}

/// The arrow of a segment: how many fields it may be.
fn arrow(lengths: Lengths) -> &'static str {
    match lengths {
        Lengths::ONE => "->",
        Lengths::TWO => "->2",
        Lengths::MORE => "->3+",
        Lengths::LONG => "->2+",
        Lengths::ANY => "->+",
        Lengths(3) => "->1,2",
        _ => "->1,3+",
    }
}

/// What holds at a block, as a disjunction of shapes.
pub fn disjunction(program: &ListProgram, heaps: &[&Heap]) -> String {
    let lines: Vec<String> = heaps.iter().map(|h| shape(program, h)).collect();
    match lines.as_slice() {
        [] => "\\false".to_owned(),
        many => many.join("\n|| "),
    }
}
