//! The single steps of a field beside its closure.
//!
//! `next(x, y)` says that the cell of x holds y, null included. In the closure alone a step is a
//! universal formula, which cannot stand under another quantifier; with a relation of its own it is
//! an atom, and so invariants can speak of it.
//!
//! **Invariant.** In every state, an object that has the cell has exactly one edge. The axioms say
//! only what is universal: an edge is a step of the closure, and there is at most one.

use trellis_logic::{FormulaId, RelId, TermId};

use crate::execute::Builder;
use crate::execute::state::Run;
use crate::symbols::{Heaps, PointerField};

impl Builder<'_> {
    /// What edges have to do with closures.
    pub(crate) fn edge_axioms(&mut self) -> Vec<FormulaId> {
        let mut axioms = Vec::new();
        let fields: Vec<PointerField> = self.symbols.pointers.clone();
        for field in fields {
            let Some(edge) = field.edge else { continue };
            axioms.extend(self.axioms_of_edge(edge.now, field.closure.now, field.recursive));
            if edge.entry != edge.now {
                axioms.extend(self.axioms_of_edge(
                    edge.entry,
                    field.closure.entry,
                    field.recursive,
                ));
            }
        }
        axioms
    }

    fn axioms_of_edge(&mut self, edge: RelId, closure: RelId, recursive: bool) -> Vec<FormulaId> {
        let vars = ["$x", "$y", "$z"].map(|n| self.arena.variable(n, self.symbols.obj));
        let [x, y, z] = vars.map(|v| self.arena.var_term(v));
        let null = self.null();
        let (xy, xz) = (self.arena.rel(edge, &[x, y]), self.arena.rel(edge, &[x, z]));
        let (to, on) = (
            self.symbols.reach(&mut self.arena, closure, x, y),
            self.symbols.reach(&mut self.arena, closure, x, z),
        );
        let (moves, away) = (self.arena.ne(x, y), self.arena.ne(x, z));
        let (there, one) = (self.arena.ne(x, null), self.arena.eq(y, z));
        let mut rules = vec![(vec![xy], vec![to, there]), (vec![xy, xz], vec![one])];
        match self.symbols.heaps {
            Heaps::Acyclic => {
                let first = self.arena.rel(closure, &[y, z]);
                rules.push((vec![xy, on, away], vec![first]));
                rules.push((vec![xy], vec![moves]));
            }
            Heaps::Any => {
                let first = self.arena.rel(closure, &[x, y, z]);
                rules.push((vec![xy, on, away], vec![first]));
                let stays = self.arena.not(moves);
                let alone = self.arena.not(away);
                rules.push((vec![xy, stays, on], vec![alone]));
            }
        }
        // Where paths have one step, what is reached is one step away.
        if !recursive {
            let something = self.arena.ne(y, null);
            rules.push((vec![to, moves, something], vec![xy]));
        }
        let mut axioms = Vec::new();
        for (premises, conclusions) in rules {
            let (premise, conclusion) = (self.arena.and(premises), self.arena.and(conclusions));
            let body = self.arena.implies(premise, conclusion);
            axioms.push(self.arena.forall(&vars, body));
        }
        axioms
    }

    /// The edges after `object->f = target`.
    pub(crate) fn store_edge(
        &mut self,
        run: &mut Run,
        field: &PointerField,
        object: TermId,
        target: TermId,
    ) {
        let Some(edge) = field.edge else { return };
        let (vars, [a, b]) = self.pair();
        let before = self.arena.rel(edge.now, &[a, b]);
        let before = self.arena.expand(before, &run.now);
        let (here, new) = (self.arena.eq(a, object), self.arena.eq(b, target));
        let (changed, elsewhere) = (self.arena.and([here, new]), self.arena.not(here));
        let kept = self.arena.and([elsewhere, before]);
        let after = self.arena.or([changed, kept]);
        run.now.define_rel(edge.now, &vars, after);
    }

    /// A fresh object has no edges but to null.
    pub(crate) fn without_edges(&mut self, run: &mut Run, object: TermId) {
        let edges: Vec<RelId> = self
            .symbols
            .pointers
            .iter()
            .filter_map(|f| f.edge)
            .flat_map(|e| [e.now, e.entry])
            .collect();
        let null = self.null();
        for edge in edges {
            let ([var, _], _) = self.pair();
            let isolated = self.of_now(run, [object, null], |arena, _, [x, n]| {
                let any = arena.var_term(var);
                let (from, to) = (arena.rel(edge, &[any, x]), arena.rel(edge, &[x, any]));
                let (none, end) = (arena.not(from), arena.eq(any, n));
                let ends = arena.implies(to, end);
                let body = arena.and([none, ends]);
                arena.forall(&[var], body)
            });
            if !run.guards.contains(&isolated) {
                run.guards.push(isolated);
            }
        }
    }
}
