//! A pattern as a drawing: the way back from [`super::reading`], for patterns that nobody drew.

use trellis_patterns::{Node as Meant, Pattern, Target};
use trellis_report::game::{Drawing, Edge, Kind, Node, Truth, Variable};

use super::reading::Reader;
use super::saying::{About, Saying};

/// A pattern as a drawing, with the variables that it speaks of.
pub(super) fn drawing(reader: &Reader, pattern: &Pattern) -> (Drawing, Vec<Variable>) {
    let words = &reader.words;
    let name = |n: usize| format!("n{}", n + 1);
    let place = |t: Target| match t {
        Target::Null => Some("null".to_owned()),
        Target::Freed => Some("freed".to_owned()),
        Target::Undefined => Some("unset".to_owned()),
        Target::Node(n) => Some(name(n)),
        Target::Dead => None,
    };
    let mut nodes: Vec<Node> = Vec::new();
    let mut edges = Vec::new();
    for (i, node) in pattern.nodes.iter().enumerate() {
        let record = &words.records[node.record];
        let said = reader.sayings.iter().filter(|s| s.record == node.record);
        nodes.push(Node {
            id: name(i),
            record: record.name.clone(),
            summary: node.summary,
            words: said.map(|s| (s.name.clone(), truth(s, node))).collect(),
            ..Node::default()
        });
        for (field, targets) in record.pointers.iter().zip(&node.fields) {
            let plain = |t: Target| !matches!(t, Target::Node(n) if pattern.nodes[n].summary);
            let value = if targets.only().is_some_and(plain) { Truth::True } else { Truth::Maybe };
            for to in targets.iter().filter_map(place) {
                let field = field.name.clone();
                edges.push(Edge { from: name(i), field, to, value });
            }
        }
    }
    let mut variables = Vec::new();
    let mut at: Vec<(String, String)> = Vec::new();
    for (var, target) in words.pointers.iter().zip(&pattern.vars) {
        let known = !var.is_temp && !var.is_entry && *target != Target::Undefined;
        if let Some(place) = place(*target).filter(|_| known) {
            let meaning = "on the way".to_owned();
            variables.push(Variable { name: var.name.clone(), meaning });
            at.push((var.name.clone(), place));
        }
    }
    let used = |id: &str| {
        edges.iter().any(|e: &Edge| e.to == id) || at.iter().any(|(_, place)| place == id)
    };
    for (id, kind) in [("null", Kind::Null), ("freed", Kind::Freed), ("unset", Kind::Unset)] {
        if kind == Kind::Null || used(id) {
            nodes.push(Node { id: id.to_owned(), kind, ..Node::default() });
        }
    }
    for (variable, place) in at {
        for node in nodes.iter_mut().filter(|n| n.id == place) {
            node.variables.insert(variable.clone(), Truth::True);
        }
    }
    (Drawing { nodes, edges }, variables)
}

/// What a node says of its cells.
fn truth(saying: &Saying, node: &Meant) -> Truth {
    match saying.about {
        About::Shared(pairs) if node.sharing.0 & pairs.0 == 0 => Truth::False,
        About::Shared(_) => Truth::Maybe,
        About::Value(p, values) => {
            let holds = |c: &trellis_patterns::Colour| values >> c.get(p) & 1 == 1;
            match (node.colours.iter().any(holds), node.colours.iter().all(holds)) {
                (true, true) => Truth::True,
                (false, _) => Truth::False,
                _ => Truth::Maybe,
            }
        }
    }
}
