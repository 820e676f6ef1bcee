//! Names for interruptions: the program's variables, and the auxiliary variables `x_{s,k}` that
//! name shared nodes by their distance from a variable (*Predicate and Canonical Abstraction*,
//! §3.3).

use crate::heap::Heap;

/// A variable that points to an interruption.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Name {
    /// As shown: `x`, `x_s1`.
    pub text: String,
    /// The interruption.
    pub node: usize,
}

/// The program's variables that point to a node, then the auxiliary ones up to a depth (`None` for
/// all).
pub fn names(vars: &[String], heap: &Heap, depth: Option<usize>) -> Vec<Name> {
    let mut all = Vec::new();
    let mut named = vec![false; heap.nodes.len()];
    for (text, r) in vars.iter().zip(&heap.vars) {
        if let Some(node) = r.index() {
            all.push(Name { text: text.clone(), node });
            named[node] = true;
        }
    }
    for (text, r) in vars.iter().zip(&heap.vars) {
        let Some(start) = r.index() else { continue };
        let mut seen = vec![false; heap.nodes.len()];
        let mut at = heap.nodes[start].to;
        let mut k = 1;
        while let Some(node) = at.index() {
            if named[node] || seen[node] || depth.is_some_and(|d| k > d) {
                break;
            }
            seen[node] = true;
            all.push(Name { text: format!("{text}_s{k}"), node });
            at = heap.nodes[node].to;
            k += 1;
        }
    }
    all
}
