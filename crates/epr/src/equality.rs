//! Equality is an equivalence, and equal arguments give equal results: checked in a candidate, and
//! where it fails, said in a clause.
//!
//! **Invariant**: every clause is valid in the theory of equality, and false in the candidate; so
//! each round excludes the candidate, and there are finitely many clauses.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use crate::candidate::{Candidate, NONE};
use crate::ground::Grounding;
use crate::terms::{Args, Ground, Symbol};

/// Adds clauses that the candidate violates; says how many.
pub(crate) fn repair(ground: &mut Grounding, candidate: &mut Candidate) -> usize {
    if !candidate.merged {
        return 0;
    }
    for &predicate in ground.atoms.relations() {
        candidate.tabulate(ground, predicate);
    }
    let candidate = &*candidate;
    let mut edges = Edges::default();
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    for &(a, b, lit) in ground.atoms.equalities() {
        if candidate.class(a) != NONE
            && candidate.class(a) == candidate.class(b)
            && !ground.sat.value(lit)
        {
            clauses.push(edges.of(ground, candidate).explain(&[a], &[b], Some(lit)));
        }
    }
    relations(ground, candidate, &mut edges, &mut clauses);
    functions(ground, candidate, &mut edges, &mut clauses);
    for clause in &clauses {
        ground.sat.add(clause);
    }
    if let Some(log) = &mut ground.log {
        log.laws.extend_from_slice(&clauses);
    }
    clauses.len()
}

fn relations(
    ground: &Grounding,
    candidate: &Candidate,
    edges: &mut Edges,
    clauses: &mut Vec<Vec<Lit>>,
) {
    for &predicate in ground.atoms.relations() {
        let (info, Some(table)) = (ground.atoms.predicate(predicate), candidate.table(predicate))
        else {
            continue;
        };
        if table.is_empty() {
            continue;
        }
        let classes = |args: &[Ground]| -> Args {
            args.iter().map(|&t| Ground(candidate.class(t))).collect()
        };
        for (args, lit) in info.atoms() {
            // The table has the tuple of an atom of which nothing is shared from that atom alone.
            if !args.iter().any(|&t| candidate.is_shared(t))
                || ground.sat.value(lit)
                || args.iter().any(|&t| candidate.class(t) == NONE)
                || !table.holds(args.iter().map(|&t| candidate.class(t)))
            {
                continue;
            }
            // Some atom with these classes holds: that is why the table says so.
            let here = classes(args);
            let mut atoms = info.atoms();
            if let Some((other, holds)) =
                atoms.find(|&(other, lit)| ground.sat.value(lit) && classes(other) == here)
            {
                let mut clause = edges.of(ground, candidate).explain(other, args, Some(lit));
                clause.push(!holds);
                clauses.push(clause);
            }
        }
    }
}

fn functions(
    ground: &mut Grounding,
    candidate: &Candidate,
    edges: &mut Edges,
    clauses: &mut Vec<Vec<Lit>>,
) {
    if !ground.terms.has_applications() {
        return;
    }
    let mut first: FxHashMap<(Symbol, Args), Ground> = FxHashMap::default();
    for term in ground.terms.all() {
        let args = ground.terms.args(term);
        if args.is_empty() || candidate.class(term) == NONE {
            continue;
        }
        let classes = args.iter().map(|&t| Ground(candidate.class(t))).collect();
        let other = *first.entry((ground.terms.head(term), classes)).or_insert(term);
        if candidate.class(other) != candidate.class(term) {
            let edges = edges.of(ground, candidate);
            let mut clause = edges.explain(ground.terms.args(other), args, None);
            clause.push(ground.atoms.eq(&mut ground.sat, other, term));
            clauses.push(clause);
        }
    }
}

/// The equalities that hold in the candidate, once something is to be explained.
#[derive(Default)]
struct Edges(Option<Graph>);

impl Edges {
    fn of(&mut self, ground: &Grounding, candidate: &Candidate) -> &Graph {
        self.0.get_or_insert_with(|| Graph::new(ground, candidate))
    }
}

/// Equalities as a graph on terms.
struct Graph {
    neighbours: FxHashMap<Ground, Vec<(Ground, Lit)>>,
}

impl Graph {
    fn new(ground: &Grounding, candidate: &Candidate) -> Self {
        let mut neighbours: FxHashMap<Ground, Vec<(Ground, Lit)>> = FxHashMap::default();
        for &(a, b, lit) in ground.atoms.equalities() {
            if candidate.class(a) != NONE && candidate.class(b) != NONE && ground.sat.value(lit) {
                neighbours.entry(a).or_default().push((b, lit));
                neighbours.entry(b).or_default().push((a, lit));
            }
        }
        Graph { neighbours }
    }

    /// A clause: if the equalities hold that make the tuples equal, then so does `conclusion`.
    fn explain(&self, from: &[Ground], to: &[Ground], conclusion: Option<Lit>) -> Vec<Lit> {
        let mut clause: Vec<Lit> = conclusion.into_iter().collect();
        for (&a, &b) in from.iter().zip(to) {
            self.path(a, b, &mut clause);
        }
        clause.sort_unstable();
        clause.dedup();
        clause
    }

    /// Pushes the negations of the equalities on a shortest path.
    fn path(&self, from: Ground, to: Ground, clause: &mut Vec<Lit>) {
        let mut reached: FxHashMap<Ground, (Ground, Lit)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            if at == to {
                break;
            }
            for &(next, lit) in self.neighbours.get(&at).map_or(&[][..], Vec::as_slice) {
                if next != from && !reached.contains_key(&next) {
                    reached.insert(next, (at, lit));
                    queue.push_back(next);
                }
            }
        }
        let mut at = to;
        while at != from {
            let (before, lit) = reached[&at];
            clause.push(!lit);
            at = before;
        }
    }
}
