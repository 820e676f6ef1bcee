//! In-place list reversal as verification conditions, built by hand.
//!
//! ```c
//! while (p) { t = p->next; p->next = q; q = p; p = t; }
//! ```
//!
//! Started with the list `h` in p, and null in q. `next0` is the field at the start.

use trellis_logic::{
    Arena, Definitions, FormulaId, FunId, RelId, SortId, Structure, TermId, Vocabulary,
};
use trellis_solver::theory;

/// The loop, its invariant and what a round does.
pub struct Reversal {
    /// The symbols.
    pub vocabulary: Vocabulary,
    /// The formulas.
    pub arena: Arena,
    node: SortId,
    reach: RelId,
    /// The heap theory.
    pub axioms: Vec<FormulaId>,
    /// An inductive invariant, conjunct by conjunct.
    pub invariant: Vec<FormulaId>,
    /// One round of the loop can run.
    pub step: FormulaId,
    /// What one round does to a formula about the state after it.
    effect: Definitions,
    /// The variables of the program.
    variables: Vec<FunId>,
}

impl Default for Reversal {
    fn default() -> Reversal {
        Reversal::new()
    }
}

impl Reversal {
    /// The program.
    pub fn new() -> Reversal {
        let mut vocabulary = Vocabulary::new();
        let node = vocabulary.sort("struct node *");
        let null = vocabulary.null("NULL", node);
        let h = vocabulary.constant("h", node);
        let [p, q] = ["p", "q"].map(|name| vocabulary.variable(name, node));
        let t = vocabulary.constant("t", node);
        let next = vocabulary.field("next", node, node);
        let next0 = vocabulary.field("next0", node, node);
        let reach = vocabulary.closure("reach", next);
        let reach0 = vocabulary.closure("reach0", next0);
        let mut arena = Arena::new();
        let axioms = theory::axioms(&mut arena, &vocabulary);
        let [null, h, p_term, q_term, t] = [null, h, p, q, t].map(|c| arena.constant(c));
        let mut effect = theory::store(&mut arena, &vocabulary, reach, p_term, q_term);
        effect.define_fun(q, &[], p_term);
        effect.define_fun(p, &[], t);
        let enters = arena.ne(p_term, null);
        let load = theory::successor(&mut arena, &vocabulary, reach, p_term, t);
        let step = arena.and([enters, load]);
        let ends = [null, h, p_term, q_term];
        let invariant = invariant(&mut arena, node, [reach, reach0], ends);
        let variables = vec![p, q];
        Reversal { vocabulary, arena, node, reach, axioms, invariant, step, effect, variables }
    }

    /// A formula about the state after a round, as one about the state before it.
    pub fn after(&mut self, formula: FormulaId) -> FormulaId {
        self.arena.expand(formula, &self.effect)
    }

    /// Some nodes are related as those of the structure.
    pub fn diagram(&mut self, model: &Structure) -> FormulaId {
        let Reversal { arena, node, reach, variables, .. } = self;
        let nodes: Vec<_> =
            (0..model.size(*node)).map(|i| arena.variable(format!("e{i}"), *node)).collect();
        let terms: Vec<_> = nodes.iter().map(|&v| arena.var_term(v)).collect();
        let mut parts = Vec::new();
        let mut add = |arena: &mut Arena, atom: FormulaId, positive: bool| {
            parts.push(if positive { atom } else { arena.not(atom) });
        };
        for (i, &x) in terms.iter().enumerate() {
            for (j, &y) in terms.iter().enumerate() {
                let atom = arena.rel(*reach, &[x, y]);
                add(arena, atom, model.rel(*reach, &[i as u32, j as u32]));
                if i < j {
                    let same = arena.eq(x, y);
                    add(arena, same, false);
                }
            }
            for &variable in &*variables {
                let constant = arena.constant(variable);
                let same = arena.eq(constant, x);
                add(arena, same, model.constant(variable) == Some(i as u32));
            }
        }
        let body = arena.and(parts);
        arena.exists(&nodes, body)
    }
}

fn invariant(
    arena: &mut Arena,
    node: SortId,
    [reach, reach0]: [RelId; 2],
    [null, h, p, q]: [TermId; 4],
) -> Vec<FormulaId> {
    let vars = ["v", "w"].map(|name| arena.variable(name, node));
    let [v, w] = vars.map(|x| arena.var_term(x));
    let node_v = arena.ne(v, null);
    let (from_p, from_q) = (arena.rel(reach, &[p, v]), arena.rel(reach, &[q, v]));
    let was = arena.rel(reach0, &[h, v]);
    let both = arena.and([from_p, from_q]);
    let apart = arena.not(both);
    let disjoint = arena.implies(node_v, apart);
    let disjoint = arena.forall(&vars, disjoint);
    let (listed, either) = (arena.and([node_v, was]), arena.or([from_p, from_q]));
    let nothing_lost = arena.implies(listed, either);
    let nothing_lost = arena.forall(&vars, nothing_lost);
    let found = arena.and([node_v, either]);
    let nothing_new = arena.implies(found, was);
    let nothing_new = arena.forall(&vars, nothing_new);
    let node_w = arena.ne(w, null);
    let (now, then, back) =
        (arena.rel(reach, &[v, w]), arena.rel(reach0, &[v, w]), arena.rel(reach0, &[w, v]));
    let (kept, turned) = (arena.iff(now, then), arena.iff(now, back));
    let p_w = arena.rel(reach, &[p, w]);
    let rest = arena.and([node_v, node_w, from_p, p_w]);
    let rest_kept = arena.implies(rest, kept);
    let rest_kept = arena.forall(&vars, rest_kept);
    let q_w = arena.rel(reach, &[q, w]);
    let done = arena.and([node_v, node_w, from_q, q_w]);
    let done_turned = arena.implies(done, turned);
    let done_turned = arena.forall(&vars, done_turned);
    let crossing = arena.and([node_v, node_w, from_q, p_w]);
    let done_first = arena.implies(crossing, then);
    let done_first = arena.forall(&vars, done_first);
    vec![disjoint, nothing_lost, nothing_new, rest_kept, done_turned, done_first]
}
