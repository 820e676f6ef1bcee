//! Three-valued structures as shapes: evidence that is checked without this crate.
//!
//! Every heap of lists has one shape (interruptions, and segments of length 1, 2, or more; paper
//! 002, §3), and the predicates of Tables 3 and 7 cannot tell heaps of one shape apart. So the heaps
//! that a structure describes are those of finitely many shapes, and where the structures of the
//! blocks are an invariant, so are these shapes. [`trellis_shapes::check`] tries them on the concrete
//! machine.
//!
//! **Nobody trusts what is found here.** Shapes that are missing or too many make the checker refuse,
//! nothing else. Predicates of the user may count; then the checker may refuse what is right.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::kleene::{Kleene, KleeneStructure, PredId};
use trellis_program::{ProcId, Program};
use trellis_shapes::evidence::{Shapes, write};
use trellis_shapes::heap::{Garbage, Heap, Lengths, Ref, Segment};
pub use trellis_shapes::lower::Settings;
use trellis_shapes::lower::lower;
use trellis_shapes::program::{ANY_INT, ListProgram, Slot};

use crate::analysis::Analysis;
use crate::compile::Variables;
use crate::core::{Core, VarIndex};

/// The shapes at the starts of the blocks of the analysed procedure.
///
/// # Errors
/// Why there are none, as a noun phrase.
pub fn shapes(
    program: &Program,
    proc: ProcId,
    settings: &Settings,
    analysis: &Analysis,
) -> Result<Shapes, &'static str> {
    let list = &lower(program, proc, settings);
    // Where a contract speaks of one, the checker follows it; the structures do not.
    if list.globals.iter().any(|(_, slot)| *slot != Slot::None) {
        return Err("a global variable in a contract");
    }
    let mut heaps = Vec::new();
    for (b, block) in list.blocks.iter().enumerate() {
        let point = analysis.blocks[block.at.block.0 as usize] + block.at.instr as usize;
        let mut found = BTreeSet::new();
        for structure in &analysis.states[point].1 {
            let mut search = Search::new(&analysis.core, structure);
            search.variables(0);
            let Search { found: whole, complete, .. } = search;
            if !complete {
                return Err("structures that describe too many shapes of lists to be checked");
            }
            let lost = structure.get(analysis.core.lost, &[]);
            let seen = Seen { list, variables: &analysis.variables, block: b, lost };
            found.extend(whole.iter().flat_map(|shape| seen.shapes(shape)));
        }
        heaps.push(with_sets_of_lengths(found));
    }
    Ok(Shapes { calls_replaced: true, ..write(list, &heaps) })
}

/// Shapes that differ in the lengths of one segment become one, segment after segment.
fn with_sets_of_lengths(shapes: BTreeSet<Heap>) -> Vec<Heap> {
    let most = shapes.iter().map(|h| h.nodes.len()).max().unwrap_or(0);
    let mut shapes: Vec<Heap> = shapes.into_iter().collect();
    for segment in 0..most {
        let mut alike: BTreeMap<Heap, Lengths> = BTreeMap::new();
        for mut shape in shapes {
            let mut lengths = Lengths::ANY;
            if let Some(s) = shape.nodes.get_mut(segment) {
                std::mem::swap(&mut s.lengths, &mut lengths);
            }
            let known = alike.entry(shape).or_insert(lengths);
            *known = known.or(lengths);
        }
        let restored = alike.into_iter().map(|(mut shape, lengths)| {
            if let Some(s) = shape.nodes.get_mut(segment) {
                s.lengths = lengths;
            }
            shape
        });
        shapes = restored.collect();
    }
    shapes
}

/// What a block of the lowered procedure sees of a shape.
struct Seen<'a> {
    list: &'a ListProgram,
    variables: &'a Variables,
    block: usize,
    lost: Kleene,
}

impl Seen<'_> {
    /// The shape of the variables that are still needed.
    fn shapes(&self, whole: &Heap) -> Vec<Heap> {
        let list = self.list;
        let block = &list.blocks[self.block];
        let mut shape = Heap::empty(list.vars.len(), list.ints.len());
        shape.nodes = whole.nodes.clone();
        self.each_slot(&mut |slot, variable, constant| match slot {
            Slot::List(x) if block.live_vars[x] => {
                shape.vars[x] = variable.map_or(Ref::NULL, |v| whole.vars[v]);
            }
            Slot::Int(i) if block.live_ints[i] => {
                shape.ints[i] = constant.map_or(ANY_INT, |c| list.code(c));
            }
            Slot::List(_) | Slot::Int(_) | Slot::None => {}
        });
        let garbage = shape.normalise();
        if !list.track_garbage {
            return vec![shape];
        }
        shape.garbage = garbage;
        // The structure does not say whether what was lost had a cycle.
        let lost = [Garbage::SOME, Garbage::CYCLE]
            .map(|more| Heap { garbage: garbage.and(more), ..shape.clone() });
        match self.lost {
            Kleene::False => vec![shape],
            Kleene::True => lost.to_vec(),
            Kleene::Maybe => [&[shape][..], &lost].concat(),
        }
    }

    /// The slots of the procedure's variables and parameters, with the variable of the analysis and
    /// the constant that they hold.
    fn each_slot(&self, f: &mut dyn FnMut(Slot, Option<VarIndex>, Option<i64>)) {
        let Some(context) = self.list.contexts.first() else { return };
        for (v, slot) in context.vars.iter().enumerate() {
            f(*slot, self.variables.locals[v], self.variables.constants[v]);
        }
        for (p, slot) in context.entry.iter().enumerate() {
            f(*slot, self.variables.entries[p], None);
        }
    }
}

/// What a node is in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is, or will be, an interruption.
    Interruption,
    /// It is inside of a segment.
    Inner,
    /// It is inside of a segment, and may not be there.
    Spare,
}

/// Most steps of one search.
const MOST_STEPS: usize = 1_000_000;

/// The shapes of the heaps that a structure describes.
///
/// Nodes are chosen along the lists. A segment has at most three edges, which stand for more; where
/// its inner nodes are those of a summary that leads to itself, it has two of them, which stand for
/// one or more.
struct Search<'a> {
    core: &'a Core,
    structure: &'a KleeneStructure,
    /// By variable, its node.
    vars: Vec<Option<usize>>,
    /// By node, its individual.
    nodes: Vec<usize>,
    /// By node, where it leads; the innermost `None` is null.
    next: Vec<Option<Option<usize>>>,
    /// By node, what it is in a list.
    roles: Vec<Role>,
    /// The predicate that says which nodes are shared, if there is one.
    shared: Option<PredId>,
    found: BTreeSet<Heap>,
    steps: usize,
    complete: bool,
}

impl<'a> Search<'a> {
    fn new(core: &'a Core, structure: &'a KleeneStructure) -> Self {
        let predicates = structure.predicates();
        let definition = core.shared();
        Search {
            core,
            structure,
            vars: Vec::new(),
            nodes: Vec::new(),
            next: Vec::new(),
            roles: Vec::new(),
            shared: predicates
                .ids()
                .find(|&p| predicates.get(p).definition.as_ref() == Some(&definition)),
            found: BTreeSet::new(),
            steps: 0,
            complete: true,
        }
    }

    fn tired(&mut self) -> bool {
        self.steps += 1;
        self.complete &= self.steps <= MOST_STEPS;
        !self.complete
    }

    /// A node of an individual, unless it has its only one already.
    fn add(&mut self, individual: usize, role: Role) -> Option<usize> {
        if !self.structure.is_summary(individual) && self.nodes.contains(&individual) {
            return None;
        }
        self.nodes.push(individual);
        self.next.push(None);
        self.roles.push(role);
        Some(self.nodes.len() - 1)
    }

    fn remove(&mut self) {
        self.nodes.pop();
        self.next.pop();
        self.roles.pop();
    }

    /// Whether two nodes may lead to one of an individual.
    fn may_be_shared(&self, individual: usize) -> bool {
        self.shared.is_none_or(|p| self.structure.get(p, &[individual]) != Kleene::False)
    }

    /// The nodes of an individual that may be entered again.
    fn interruptions(&self, individual: usize) -> Vec<usize> {
        let is_one = |&node: &usize| {
            self.nodes[node] == individual && self.roles[node] == Role::Interruption
        };
        (0..self.nodes.len()).filter(is_one).collect()
    }

    /// Chooses nodes for the variables from this one on, then for the fields.
    fn variables(&mut self, x: VarIndex) {
        if self.tired() {
            return;
        }
        let Some(&predicate) = self.core.vars.get(x) else {
            return self.fields();
        };
        let value = |s: &KleeneStructure, u: usize| s.get(predicate, &[u]);
        let individuals = 0..self.structure.size();
        if !individuals.clone().any(|u| value(self.structure, u) == Kleene::True) {
            self.vars.push(None);
            self.variables(x + 1);
            self.vars.pop();
        }
        for u in individuals.filter(|&u| value(self.structure, u) != Kleene::False) {
            for node in self.interruptions(u) {
                self.vars.push(Some(node));
                self.variables(x + 1);
                self.vars.pop();
            }
            if let Some(node) = self.add(u, Role::Interruption) {
                self.vars.push(Some(node));
                self.variables(x + 1);
                self.vars.pop();
                self.remove();
            }
        }
    }

    /// Chooses the field of the first node that has none.
    fn fields(&mut self) {
        if self.tired() {
            return;
        }
        // A nameless interruption needs two segments that lead to it.
        let open = self.next.iter().filter(|n| n.is_none()).count();
        if self.entries_needed() > open {
            return;
        }
        match self.next.iter().position(Option::is_none) {
            Some(node) => self.successors(node, 1),
            None => self.finish(),
        }
    }

    /// How many edges are missing to the nodes that are to be interruptions.
    fn entries_needed(&self) -> usize {
        let entered = |node: usize| self.next.iter().filter(|n| **n == Some(Some(node))).count();
        let nameless = |&node: &usize| {
            self.roles[node] == Role::Interruption && !self.vars.contains(&Some(node))
        };
        let nodes = (0..self.nodes.len()).filter(nameless);
        nodes.map(|node| 2usize.saturating_sub(entered(node))).sum()
    }

    /// Chooses where a node leads, with edge number `length` of a segment.
    fn successors(&mut self, node: usize, length: usize) {
        let (core, structure) = (self.core, self.structure);
        let from = self.nodes[node];
        let edge = |to: usize| structure.get(core.n, &[from, to]);
        let individuals = 0..structure.size();
        if !individuals.clone().any(|to| edge(to) == Kleene::True) {
            self.lead(node, None);
        }
        for to in individuals.filter(|&to| edge(to) != Kleene::False) {
            for known in self.interruptions(to) {
                if self.may_be_shared(to) || !self.next.contains(&Some(Some(known))) {
                    self.lead(node, Some(known));
                }
            }
            if self.may_be_shared(to)
                && let Some(new) = self.add(to, Role::Interruption)
            {
                self.lead(node, Some(new));
                self.remove();
            }
            if length < 3 {
                self.inside(node, to, length);
            }
        }
    }

    /// Goes on over one inner node, or over two that stand for one or more.
    fn inside(&mut self, node: usize, to: usize, length: usize) {
        let structure = self.structure;
        let goes_on = structure.get(self.core.n, &[to, to]) != Kleene::False;
        let Some(first) = self.add(to, Role::Inner) else { return };
        self.next[node] = Some(Some(first));
        if structure.is_summary(to) && goes_on && length == 1 {
            if let Some(second) = self.add(to, Role::Spare) {
                self.next[first] = Some(Some(second));
                self.successors(second, 3);
                self.remove();
            }
        } else {
            self.successors(first, length + 1);
        }
        self.next[node] = None;
        self.remove();
    }

    fn lead(&mut self, node: usize, to: Option<usize>) {
        self.next[node] = Some(to);
        self.fields();
        self.next[node] = None;
    }

    /// Everything is chosen: keeps the heap if the structure describes it.
    fn finish(&mut self) {
        let all_there = (0..self.structure.size()).all(|u| self.nodes.contains(&u));
        if all_there && self.is_described() {
            self.found.insert(self.shape());
        }
    }

    /// Whether every predicate has a value that the structure allows, by definition.
    fn is_described(&self) -> bool {
        let (core, structure) = (self.core, self.structure);
        let mut exact = structure.copy_individuals(&self.nodes);
        for node in 0..self.nodes.len() {
            exact.set_summary(node, false);
            for (x, &variable) in core.vars.iter().enumerate() {
                exact.set(variable, &[node], self.vars[x] == Some(node));
            }
            for to in 0..self.nodes.len() {
                exact.set(core.n, &[node, to], self.next[node].flatten() == Some(to));
            }
        }
        exact.instrument();
        let predicates = exact.predicates().clone();
        predicates.ids().all(|p| {
            exact.tuples(predicates.get(p).arity).iter().all(|nodes| {
                let individuals: Vec<usize> = nodes.iter().map(|&n| self.nodes[n]).collect();
                exact.get(p, nodes).is_below(structure.get(p, &individuals))
            })
        })
    }

    /// The shape, without what was freed.
    fn shape(&self) -> Heap {
        let holds = |p, node: usize| self.structure.get(p, &[self.nodes[node]]) == Kleene::True;
        let is_freed = |node: usize| holds(self.core.freed, node);
        let is_node = |node: &usize| self.roles[*node] == Role::Interruption && !is_freed(*node);
        let kept: Vec<usize> = (0..self.nodes.len()).filter(is_node).collect();
        let reference = |to: Option<usize>| match to {
            None => Ref::NULL,
            Some(node) => kept.iter().position(|k| *k == node).map_or(Ref::DANGLING, Ref::node),
        };
        let segment = |start: usize| {
            let (mut at, mut edges, mut spare) = (start, 1, false);
            loop {
                if holds(self.core.undef_n, at) {
                    break Segment { to: Ref::UNDEF, lengths: lengths(edges, spare) };
                }
                match self.next[at].flatten() {
                    // Nothing is said of what it held.
                    Some(inner) if self.roles[inner] != Role::Interruption && !is_freed(inner) => {
                        spare |= self.roles[inner] == Role::Spare;
                        (at, edges) = (inner, edges + 1);
                    }
                    to => break Segment { to: reference(to), lengths: lengths(edges, spare) },
                }
            }
        };
        Heap {
            vars: self.vars.iter().map(|v| reference(*v)).collect(),
            nodes: kept.iter().map(|node| segment(*node)).collect(),
            ..Heap::empty(0, 0)
        }
    }
}

fn lengths(edges: usize, spare: bool) -> Lengths {
    match (edges, spare) {
        (1, _) => Lengths::ONE,
        (2, _) => Lengths::TWO,
        (_, false) => Lengths::MORE,
        (_, true) => Lengths::LONG,
    }
}
