//! Does a heap fit a drawing? Plain search: practice heaps have few cells.
//!
//! A heap fits if its cells can be sent to nodes so that words agree, every pointer follows an edge
//! that is not *none*, every variable is at a node that has it, and a plain node gets exactly one cell.

use std::collections::BTreeMap;

use trellis_report::game::{Clash, Drawing, EdgeRef, Example, Fit, Kind, Place, Slack, Truth};

/// A drawing against a heap.
pub fn compare(drawing: &Drawing, heap: &Example, name: &str) -> Fit {
    let mut search = Search { drawing, heap, map: vec![None; heap.cells.len()], best: None };
    let found = search.off_heap() && search.go(0);
    let Search { map, best, .. } = search;
    let (mapping, clash) = match (found, best) {
        (true, _) => (map, None),
        (false, Some((_, _, map, clash))) => (map, Some(clash)),
        (false, None) => (map, None),
    };
    let slack = if found { slack(drawing, heap, &mapping) } else { Vec::new() };
    Fit { example: name.to_owned(), fits: found, mapping, clash, slack }
}

struct Search<'a> {
    drawing: &'a Drawing,
    heap: &'a Example,
    map: Vec<Option<String>>,
    /// The attempt that came farthest: cells, clashes, where they went, why it failed.
    best: Option<(usize, usize, Vec<Option<String>>, Clash)>,
}

impl Search<'_> {
    /// Variables that point to no cell.
    fn off_heap(&mut self) -> bool {
        for (variable, place) in &self.heap.variables {
            let Place::Named(named) = place else { continue };
            let at = self.drawing.node(named.node());
            if at.is_none_or(|n| n.variable(variable) == Truth::False) {
                let node = named.node();
                let sentence = format!("{variable} is {node} here, but {node} has no {variable}");
                let clash = Clash { sentence, node: Some(node.to_owned()), ..Clash::default() };
                self.note(0, 0, clash);
                return false;
            }
        }
        true
    }

    fn go(&mut self, i: usize) -> bool {
        if i == self.heap.cells.len() {
            let lonely = self.drawing.nodes.iter().find(|n| {
                n.kind == Kind::Cells && !n.summary && !self.map.contains(&Some(n.id.clone()))
            });
            let Some(node) = lonely else { return true };
            let sentence =
                format!("{} stands for exactly one cell, and no cell is left for it", node.id);
            let clash = Clash { sentence, node: Some(node.id.clone()), ..Clash::default() };
            self.note(i, 0, clash);
            return false;
        }
        let drawing = self.drawing;
        for node in drawing.nodes.iter().filter(|n| n.kind == Kind::Cells) {
            self.map[i] = Some(node.id.clone());
            let clashes = self.clashes(i, &node.id);
            match clashes.iter().find(|c| c.missing.is_some()).or(clashes.first()) {
                Some(clash) => self.note(i, clashes.len(), clash.clone()),
                None if self.go(i + 1) => return true,
                None => {}
            }
            self.map[i] = None;
        }
        if drawing.nodes.iter().all(|n| n.kind != Kind::Cells) {
            let sentence = "the pattern has no node for its cells".to_owned();
            self.note(i, 0, Clash { sentence, cell: Some(0), ..Clash::default() });
        }
        false
    }

    /// Why cell `i` cannot be at a node, given where the cells before it are.
    fn clashes(&self, i: usize, id: &str) -> Vec<Clash> {
        let (Some(node), cell) = (self.drawing.node(id), &self.heap.cells[i]) else {
            return Vec::new();
        };
        let number = i + 1;
        let mut out = Vec::new();
        let mut add = |sentence: String, missing: Option<EdgeRef>| {
            let node = Some(missing.as_ref().map_or(id, |m: &EdgeRef| &m.from).to_owned());
            out.push(Clash { sentence, cell: Some(i), node, edge: None, missing });
        };
        for (variable, place) in &self.heap.variables {
            if *place == Place::Cell(i) && node.variable(variable) == Truth::False {
                add(
                    format!("{variable} points to cell {number}, but {id} has no {variable}"),
                    None,
                );
            }
            if *place != Place::Cell(i) && !node.summary && node.variable(variable) == Truth::True {
                add(format!("{id} needs {variable}, and {variable} is not on cell {number}"), None);
            }
        }
        for (word, value) in &cell.words {
            let wants = node.word(word);
            if !wants.allows(*value) {
                let wants = if wants == Truth::True { "true" } else { "false" };
                add(
                    format!("cell {number} has {word} {value}, but {id} wants {word} {wants}"),
                    None,
                );
            }
        }
        if !node.summary
            && let Some(other) = self.map[..i].iter().position(|m| m.as_deref() == Some(id))
        {
            let other = other + 1;
            add(
                format!(
                    "{id} stands for one cell only, and cells {other} and {number} both need it"
                ),
                None,
            );
        }
        for (a, from) in self.heap.cells.iter().enumerate().take(i + 1) {
            for (field, place) in &from.fields {
                let (target, name) = match place {
                    Place::Cell(b) if *b > i || (a != i && *b != i) => continue,
                    Place::Cell(b) => (self.map[*b].clone(), format!("cell {}", b + 1)),
                    Place::Named(_) if a != i => continue,
                    Place::Named(n) => (Some(n.node().to_owned()), n.node().to_owned()),
                };
                let (Some(source), Some(target)) = (self.map[a].clone(), target) else { continue };
                if self.drawing.edge(&source, field, &target) == Truth::False {
                    let sentence = format!(
                        "{field} of cell {} leads to {name}, but no edge {field} leads from {source} to {target}",
                        a + 1
                    );
                    let field = field.clone();
                    add(sentence, Some(EdgeRef { from: source, field, to: target }));
                }
            }
        }
        out
    }

    fn note(&mut self, depth: usize, clashes: usize, clash: Clash) {
        let better = |(d, c, ..): &(usize, usize, Vec<Option<String>>, Clash)| {
            depth > *d || (depth == *d && clashes < *c)
        };
        if self.best.as_ref().is_none_or(better) {
            self.best = Some((depth, clashes, self.map.clone(), clash));
        }
    }
}

/// The *maybe*s on nodes that the heap uses.
fn slack(drawing: &Drawing, heap: &Example, mapping: &[Option<String>]) -> Vec<Slack> {
    let mut seen: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for (id, cell) in mapping.iter().flatten().zip(&heap.cells) {
        seen.entry(id).or_insert_with(|| cell.words.keys().collect());
    }
    let mut out = Vec::new();
    for (id, words) in seen {
        let Some(node) = drawing.node(id) else { continue };
        for word in words {
            if node.word(word) == Truth::Maybe {
                out.push(Slack { node: id.to_owned(), word: word.clone() });
            }
        }
    }
    out
}
