//! Random questions about lists: some constants, one field or two, loads, stores and an order.

use trellis_logic::generate::Tape;
use trellis_logic::{Arena, FormulaId, RelId, TermId, Vocabulary};
use trellis_solver::theory;

/// A question, with everything that it speaks of.
pub struct Question {
    /// The symbols.
    pub vocabulary: Vocabulary,
    /// The formulas.
    pub arena: Arena,
    /// The heap theory.
    pub axioms: Vec<FormulaId>,
    /// What is asked: whether these have a model.
    pub assumed: Vec<FormulaId>,
}

/// Literals about so many constants beside null, some after a store.
pub fn question(tape: &mut Tape, constants: usize, literals: u32) -> Question {
    let mut lists = Lists::new(tape, constants);
    let assumed = lists.question(tape, literals);
    let Lists { vocabulary, arena, axioms, .. } = lists;
    Question { vocabulary, arena, axioms, assumed }
}

/// A heap of lists that many questions can be asked about.
pub struct Lists {
    /// The symbols.
    pub vocabulary: Vocabulary,
    /// The formulas.
    pub arena: Arena,
    /// The heap theory.
    pub axioms: Vec<FormulaId>,
    rels: Vec<RelId>,
    order: Option<RelId>,
    /// Null first.
    terms: Vec<TermId>,
}

impl Lists {
    /// With so many constants beside null; whether there are two fields and an order is on the tape.
    pub fn new(tape: &mut Tape, constants: usize) -> Lists {
        let mut vocabulary = Vocabulary::new();
        let node = vocabulary.sort("node");
        let null = vocabulary.null("NULL", node);
        let names: Vec<_> =
            (0..constants).map(|i| vocabulary.constant(format!("c{i}"), node)).collect();
        let mut rels = Vec::new();
        for name in &["next", "prev"][..1 + tape.below(2) as usize] {
            let field = vocabulary.field(*name, node, node);
            rels.push(vocabulary.closure(format!("reach_{name}"), field));
        }
        let order = tape.chance(30).then(|| vocabulary.relation("dle", &[node, node]));
        let mut arena = Arena::new();
        let mut axioms = theory::axioms(&mut arena, &vocabulary);
        let order_axioms =
            order.into_iter().flat_map(|o| theory::total_preorder(&mut arena, &vocabulary, o));
        axioms.extend(order_axioms);
        let mut terms = vec![arena.constant(null)];
        terms.extend(names.iter().map(|&c| arena.constant(c)));
        Lists { vocabulary, arena, axioms, rels, order, terms }
    }

    /// Literals about the constants, some after a store.
    pub fn question(&mut self, tape: &mut Tape, literals: u32) -> Vec<FormulaId> {
        let Lists { vocabulary, arena, rels, order, terms, .. } = self;
        let mut assumed = Vec::new();
        for _ in 0..1 + tape.below(literals) {
            let rel = *tape.pick(rels).unwrap();
            assumed.push(literal(tape, arena, vocabulary, rel, *order, terms));
        }
        if tape.chance(50) {
            // Speak of the state after a store that makes no cycle, but of one more field before it.
            let (x, y) = (*tape.pick(&terms[1..]).unwrap(), *tape.pick(terms).unwrap());
            let rel = rels[0];
            let effect = theory::store(arena, vocabulary, rel, x, y);
            let half = assumed.len() / 2;
            for f in &mut assumed[half..] {
                *f = arena.expand(*f, &effect);
            }
            let cycle = theory::makes_cycle(arena, vocabulary, rel, x, y);
            assumed.push(arena.ne(x, terms[0]));
            assumed.push(arena.not(cycle));
        }
        assumed
    }
}

fn literal(
    tape: &mut Tape,
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    rel: RelId,
    order: Option<RelId>,
    terms: &[TermId],
) -> FormulaId {
    let (x, y) = (*tape.pick(terms).unwrap(), *tape.pick(terms).unwrap());
    let atom = match tape.below(10) {
        0..5 => arena.rel(rel, &[x, y]),
        5..7 => arena.eq(x, y),
        7 => return theory::successor(arena, vocabulary, rel, x, y),
        _ => {
            // Everything from x on is ordered, or also reaches y.
            let node = vocabulary.rel(rel).args[0];
            let [v, w] = ["v", "w"].map(|name| arena.variable(name, node));
            let (v_term, w_term) = (arena.var_term(v), arena.var_term(w));
            let (from_x, on) = (arena.rel(rel, &[x, v_term]), arena.rel(rel, &[v_term, w_term]));
            let path = arena.and([from_x, on]);
            let then = match order {
                Some(order) => arena.rel(order, &[v_term, w_term]),
                None => arena.rel(rel, &[w_term, y]),
            };
            let body = arena.implies(path, then);
            arena.forall(&[v, w], body)
        }
    };
    if tape.chance(50) { arena.not(atom) } else { atom }
}
