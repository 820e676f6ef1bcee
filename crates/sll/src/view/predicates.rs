//! The predicate form (*Predicate and Canonical Abstraction*, Table 6): which nullary predicates
//! are true.
//!
//! Beside null there are two other ways to end a list here, a field that was never written and
//! freed memory; their predicates are written in the same way.

use super::names::names;
use crate::heap::{Heap, Lengths, Ref};

/// The true predicates of a heap with one length class a segment, over variables and auxiliary
/// variables up to a depth (`None` for all).
pub fn predicates(vars: &[String], heap: &Heap, depth: Option<usize>) -> Vec<String> {
    let names = names(vars, heap, depth);
    let mut out = Vec::new();
    for (i, x) in names.iter().enumerate() {
        for y in &names[i..] {
            if x.node == y.node {
                out.push(format!("Aliased[{},{}]", x.text, y.text));
            }
        }
    }
    for x in &names {
        let segment = heap.nodes[x.node];
        let ends: Vec<&str> = match segment.to.index() {
            Some(j) => names.iter().filter(|y| y.node == j).map(|y| y.text.as_str()).collect(),
            None => vec![match segment.to {
                Ref::NULL => "null",
                Ref::UNDEF => "undefined",
                _ => "freed",
            }],
        };
        for y in ends {
            match segment.lengths {
                Lengths::ONE => out.push(format!("UList1[{},{y}]", x.text)),
                Lengths::TWO => out.push(format!("UList2[{},{y}]", x.text)),
                _ => {}
            }
            out.push(format!("UList[{},{y}]", x.text));
        }
    }
    // Null needs no predicate: it is what is not aliased to itself. The other two ends do.
    for (text, r) in vars.iter().zip(&heap.vars) {
        if *r == Ref::DANGLING {
            out.push(format!("Freed[{text}]"));
        }
    }
    out
}
