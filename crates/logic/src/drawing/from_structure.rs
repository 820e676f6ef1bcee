//! The drawing of a structure: elements become nodes, fields arrows or values, constants variables.

use crate::drawing::{Drawing, Node, NodeIndex, Target};
use crate::ids::{FunId, SortId};
use crate::structure::{Structure, Value};
use crate::vocabulary::{FunKind, RelKind};

impl Drawing {
    /// Draws a structure.
    ///
    /// The elements of sorts that have fields become nodes, numbered from 1, except those that a
    /// null constant denotes. Elements of other sorts are shown as values. Unary relations that
    /// hold are shown in the node; binary relations become arrows, except orders. If a closure was
    /// given and its field was not, the field is recovered from it where possible.
    pub fn from_structure(structure: &Structure) -> Drawing {
        let mut structure = structure.clone();
        recover_fields(&mut structure);
        Convert::new(&structure).run()
    }
}

fn recover_fields(structure: &mut Structure) {
    let vocabulary = structure.vocabulary().clone();
    for r in vocabulary.rels() {
        if let RelKind::Closure { field } = vocabulary.rel(r).kind {
            let space = structure.fun_space(field).len();
            if (0..space).all(|i| structure.fun_at(field, i).is_none()) {
                structure.recover_field(r);
            }
        }
    }
}

struct Convert<'a> {
    structure: &'a Structure,
    /// By sort and element, where an arrow to it ends.
    targets: Vec<Vec<Option<Target>>>,
    drawing: Drawing,
}

impl<'a> Convert<'a> {
    fn new(structure: &'a Structure) -> Self {
        let targets = structure.sizes().iter().map(|&n| vec![None; n as usize]).collect();
        Convert { structure, targets, drawing: Drawing::new() }
    }

    fn run(mut self) -> Drawing {
        let vocabulary = self.structure.vocabulary().clone();
        let is_node_sort = |sort: SortId| {
            let mut funs = vocabulary.funs();
            sort != SortId::INT
                && funs.any(|f| {
                    let fun = vocabulary.fun(f);
                    fun.kind == FunKind::Field && (fun.args[0] == sort || fun.result == sort)
                })
        };
        let node_sorts: Vec<SortId> = vocabulary.sorts().filter(|&s| is_node_sort(s)).collect();
        // Without fields every sort is worth drawing.
        let node_sorts = match node_sorts.is_empty() {
            true => vocabulary.sorts().filter(|&s| s != SortId::INT).collect(),
            false => node_sorts,
        };
        for f in vocabulary.funs().filter(|&f| vocabulary.fun(f).kind == FunKind::Null) {
            if let Some(x) = self.structure.constant(f) {
                self.targets[vocabulary.fun(f).result.index()][x as usize] = Some(Target::Null);
            }
        }
        for sort in node_sorts {
            for x in 0..self.structure.size(sort) {
                let target = &mut self.targets[sort.index()][x as usize];
                if target.is_none() {
                    let label = (self.drawing.nodes.len() + 1).to_string();
                    *target = Some(Target::Node(self.drawing.add_node(Node::new(label))));
                }
            }
        }
        for f in vocabulary.funs() {
            self.add_function(f);
        }
        self.add_relations();
        self.drawing
    }

    fn node(&self, sort: SortId, x: u32) -> Option<NodeIndex> {
        match self.targets[sort.index()][x as usize] {
            Some(Target::Node(node)) => Some(node),
            Some(Target::Null | Target::Dangling) | None => None,
        }
    }

    fn add_function(&mut self, f: FunId) {
        let fun = self.structure.vocabulary().fun(f).clone();
        match fun.args[..] {
            [] if fun.kind != FunKind::Null => {
                if let Some(Value::Elem(x)) = self.structure.fun_at(f, 0)
                    && let Some(to) = self.targets[fun.result.index()][x as usize]
                {
                    self.drawing.add_pointer(fun.name, to);
                }
            }
            [sort] => {
                for x in 0..self.structure.size(sort) {
                    let Some(node) = self.node(sort, x) else {
                        continue;
                    };
                    match self.structure.fun_at(f, x as usize) {
                        None => {}
                        Some(Value::Int(n)) => self.add_value(node, &fun.name, n.to_string()),
                        Some(Value::Elem(y)) => {
                            match self.targets[fun.result.index()][y as usize] {
                                Some(to) => self.drawing.add_edge(node, &fun.name, to),
                                None => self.add_value(node, &fun.name, y.to_string()),
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn add_value(&mut self, node: NodeIndex, name: &str, value: String) {
        self.drawing.nodes[node.0].values.push((name.to_string(), value));
    }

    fn add_relations(&mut self) {
        let vocabulary = self.structure.vocabulary().clone();
        for r in vocabulary.rels() {
            let rel = vocabulary.rel(r);
            if rel.kind != RelKind::Plain {
                continue;
            }
            for tuple in self.structure.tuples(r) {
                let nodes: Option<Vec<NodeIndex>> =
                    rel.args.iter().zip(&tuple).map(|(&s, &x)| self.node(s, x)).collect();
                match nodes.as_deref() {
                    Some(&[x]) => self.add_value(x, &rel.name, String::new()),
                    Some(&[x, y]) => self.drawing.add_edge(x, &rel.name, Target::Node(y)),
                    _ => {}
                }
            }
        }
    }
}
