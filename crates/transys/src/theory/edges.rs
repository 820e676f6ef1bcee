//! Single steps of a field beside its relation, where the words have them.
//!
//! `next(x, y)` says that the cell of x holds y, null included. In the relation of a field a step is a
//! universal formula, which cannot stand under another quantifier; with a relation of its own it is
//! an atom, and so invariants can speak of it.
//!
//! **Invariant.** In every state, an object that has the cell has exactly one edge. The axioms say
//! only what is universal: an edge is a step, and there is at most one.

use trellis_logic::{Formula, FormulaId, Quantifier, RelId, TermId};
use trellis_program::spec::Label;

use super::{FieldAt, HeapLogic};
use crate::execute::Builder;
use crate::execute::state::Run;

/// Premises, all of which hold, and what holds then.
pub type Rule = (Vec<FormulaId>, Vec<FormulaId>);

/// What follows, in the relation of a field, from an edge between the first two of three places.
pub type EdgeRules = fn(&mut HeapLogic<'_>, FieldAt, FormulaId, [TermId; 3]) -> Vec<Rule>;

impl HeapLogic<'_> {
    pub(crate) fn edge_axioms(&mut self, at: FieldAt) -> Vec<FormulaId> {
        let field = &self.fields.all[at.field];
        let (Some(edge), Some(of_theory)) = (field.edge, field.theory.edge_rules()) else {
            return Vec::new();
        };
        let (edge, recursive) = (edge.at(at.label), field.recursive);
        let vars = ["$x", "$y", "$z"].map(|n| self.arena.variable(n, self.fields.obj));
        let [x, y, z] = vars.map(|v| self.arena.var_term(v));
        let null = self.null();
        let (xy, xz) = (self.arena.rel(edge, &[x, y]), self.arena.rel(edge, &[x, z]));
        let to = self.reach(at, x, y);
        let (there, one) = (self.arena.ne(x, null), self.arena.eq(y, z));
        let mut rules = vec![(vec![xy], vec![to, there]), (vec![xy, xz], vec![one])];
        rules.extend(of_theory(self, at, xy, [x, y, z]));
        // Where paths have one step, what is reached is one step away.
        if !recursive {
            let (moves, something) = (self.arena.ne(x, y), self.arena.ne(y, null));
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
}

impl Builder<'_> {
    /// What edges have to do with the relations of their fields.
    pub(crate) fn edge_axioms(&mut self) -> Vec<FormulaId> {
        let mut axioms = Vec::new();
        for field in 0..self.symbols.pointers.len() {
            axioms.extend(self.heap().edge_axioms(FieldAt::now(field)));
            if self.symbols.pointers[field].edge.is_some_and(|e| e.entry != e.now) {
                axioms.extend(self.heap().edge_axioms(FieldAt::entry(field)));
            }
        }
        axioms
    }

    /// The edges after `object->f = target`.
    pub(crate) fn store_edge(
        &mut self,
        run: &mut Run,
        field: usize,
        object: TermId,
        target: TermId,
    ) {
        let Some(edge) = self.symbols.pointers[field].edge else { return };
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
            let isolated = self.of_now(run, [object, null], |heap, [x, n]| {
                let arena = &mut *heap.arena;
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

    /// Whether a formula speaks of the edges of all objects at once. That every cell has an edge is
    /// no axiom, so a structure may lack one.
    pub(crate) fn universal_edge(&self, formula: FormulaId) -> bool {
        self.universal_edge_in(formula, true, false)
    }

    fn universal_edge_in(&self, formula: FormulaId, positive: bool, under: bool) -> bool {
        match self.arena.formula(formula) {
            Formula::Rel(rel, _) => {
                let fields = self.symbols.pointers.iter();
                let edges = fields.filter_map(|f| match f.theory.may_lack() {
                    true => Some(f.relation),
                    false => f.edge,
                });
                let is = |label| edges.clone().any(|e| e.at(label) == *rel);
                under && (is(Label::Here) || is(Label::Pre))
            }
            Formula::Not(a) => self.universal_edge_in(*a, !positive, under),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().any(|p| self.universal_edge_in(*p, positive, under))
            }
            Formula::Implies(a, b) => {
                self.universal_edge_in(*a, !positive, under)
                    || self.universal_edge_in(*b, positive, under)
            }
            Formula::Iff(a, b) => [*a, *b].into_iter().any(|side| {
                self.universal_edge_in(side, positive, under)
                    || self.universal_edge_in(side, !positive, under)
            }),
            Formula::Quant(q, _, body) => {
                let universal = (*q == Quantifier::Forall) == positive;
                self.universal_edge_in(*body, positive, under || universal)
            }
            _ => false,
        }
    }
}
