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
    let others = others(program, heap);
    parts.extend(
        others.iter().map(|(about, value)| format!("{about} {value}").trim_end().to_owned()),
    );
    if parts.is_empty() { "anything".to_owned() } else { parts.join(", ") }
}

/// The same fact by fact, each what it is about and what that is: lists as chains that go on as long as
/// they can (`\\old(h) ->+ h ->+`, `NULL`), then the other variables.
pub fn facts(program: &ListProgram, heap: &Heap) -> Vec<(String, String)> {
    let names = node_names(program, heap);
    let is_named = |i: usize| heap.vars.iter().any(|r| r.index() == Some(i));
    let is_led_to = |i: usize| heap.nodes.iter().any(|s| s.to.index() == Some(i));
    let mut begins: Vec<usize> = (0..heap.nodes.len()).collect();
    begins.sort_by_key(|i| is_led_to(*i));
    let mut said = vec![false; heap.nodes.len()];
    let mut facts = Vec::new();
    for begin in begins {
        if said[begin] {
            continue;
        }
        // What was said up to the last node of a variable, and what comes behind.
        let (mut about, mut value) = (String::new(), String::new());
        let mut at = begin;
        loop {
            said[at] = true;
            let segment = heap.nodes[at];
            value.push_str(&format!("{} {} ", names[at].join(" = "), arrow(segment.lengths)));
            if is_named(at) {
                about.push_str(&std::mem::take(&mut value));
            }
            match segment.to.index() {
                Some(next) if !said[next] => at = next,
                Some(next) => break value.push_str(&names[next][0]),
                None => break value.push_str(end(segment.to)),
            }
        }
        facts.push((about.trim_end().to_owned(), value));
    }
    facts.extend(others(program, heap));
    facts
}

/// What is said of variables that lead to no node, and of the heap as a whole.
fn others(program: &ListProgram, heap: &Heap) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for value in [Ref::NULL, Ref::DANGLING] {
        let vars = program.vars.iter().zip(&heap.vars).filter(|(_, r)| **r == value);
        let names: Vec<&str> = vars.map(|(v, _)| v.name.as_str()).collect();
        if !names.is_empty() {
            facts.push((format!("{} =", names.join(" = ")), end(value).to_owned()));
        }
    }
    for (name, code) in program.ints.iter().zip(&heap.ints) {
        if *code != ANY_INT && *code != UNDEF_INT {
            facts.push((format!("{name} ="), program.constants[*code as usize].to_string()));
        }
    }
    if heap.garbage.any() {
        facts.push(("a node is lost".to_owned(), String::new()));
    }
    facts
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
