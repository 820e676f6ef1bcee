//! Predicates from the atoms of formulas: what an atom says of one object, seen from a location.
//!
//! An atom that speaks of one object besides the variables of the location becomes a predicate of that
//! object. One that speaks of variables alone becomes a predicate of the object of each of them, since
//! the atom itself is then what holds of the object of a variable.

use std::collections::BTreeSet;

use trellis_logic::{Arena, Formula, FormulaId, FunId, RelId, RelKind, Term, TermId};

use crate::propagate::can_be_said;
use crate::questions::Questions;

/// How soon a predicate is worth having.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// From the beginning.
    First,
    /// Where a counterexample asks for it.
    Later,
}

/// Predicates that the atoms of a formula suggest at a location, in a fixed order, each once.
pub fn suggested(
    questions: &mut Questions<'_>,
    location: usize,
    moving: &BTreeSet<FunId>,
    formula: FormulaId,
) -> Vec<(Rank, FormulaId)> {
    let formula = questions.system.arena.without_ites(formula);
    let mut out: Vec<(Rank, FormulaId)> = Vec::new();
    for atom in atoms(&questions.system.arena, formula) {
        for (rank, predicate) in of_atom(questions, location, moving, atom) {
            let is_said = can_be_said(questions, location, predicate);
            if is_said && !out.iter().any(|(_, known)| *known == predicate) {
                out.push((rank, predicate));
            }
        }
    }
    out
}

/// The atoms of a formula, in the order in which they are met.
pub fn atoms(arena: &Arena, formula: FormulaId) -> Vec<FormulaId> {
    let (mut out, mut seen, mut todo) = (Vec::new(), BTreeSet::new(), vec![formula]);
    while let Some(formula) = todo.pop() {
        if !seen.insert(formula) {
            continue;
        }
        match arena.formula(formula) {
            Formula::True | Formula::False => {}
            Formula::Rel(..) | Formula::Eq(..) | Formula::Le(..) | Formula::Lt(..) => {
                out.push(formula);
            }
            Formula::Not(inner) | Formula::Quant(_, _, inner) => todo.push(*inner),
            Formula::And(parts) | Formula::Or(parts) => todo.extend(parts.iter().rev()),
            Formula::Implies(a, b) | Formula::Iff(a, b) => todo.extend([*b, *a]),
        }
    }
    out
}

/// The predicates that one atom suggests.
fn of_atom(
    questions: &mut Questions<'_>,
    location: usize,
    moving: &BTreeSet<FunId>,
    atom: FormulaId,
) -> Vec<(Rank, FormulaId)> {
    let system = &mut questions.system;
    let args: Vec<TermId> = match system.arena.formula(atom) {
        Formula::Rel(_, args) => args.to_vec(),
        // Those of objects are singleton predicates, which are there anyway.
        Formula::Eq(a, b) if sort_is_data(system, *a) => vec![*a, *b],
        _ => return Vec::new(),
    };
    let v = system.arena.var_term(questions.var);
    let mut objects: Vec<TermId> = Vec::new();
    for &arg in &args {
        leaves(system, arg, &mut objects);
    }
    if objects.is_empty() {
        // About variables that are no pointers.
        return vec![(rank(system, moving, atom, v), atom)];
    }
    let (here, null) = (&system.locations[location].constants, system.symbols.null);
    let constant = |arena: &Arena, term: TermId| match arena.term(term) {
        Term::App(fun, _) => Some(*fun),
        _ => None,
    };
    let is_closure = match system.arena.formula(atom) {
        Formula::Rel(rel, _) => leads_on(system, *rel),
        _ => false,
    };
    let has_null = objects.iter().any(|t| constant(&system.arena, *t) == Some(null));
    if is_closure && (has_null || objects.len() == 1) {
        // Null reaches itself and is reached from everywhere, and has no subtree and is in none; what an
        // object is to itself is known, too.
        return Vec::new();
    }
    let is_known = |term: &TermId| {
        constant(&system.arena, *term).is_some_and(|f| here.contains(&f) || f == null)
    };
    let others: Vec<TermId> = objects.iter().copied().filter(|t| !is_known(t)).collect();
    if let [other] = others[..] {
        let predicate = replace(&mut system.arena, atom, other, v);
        return ranked(system, moving, predicate, v);
    }
    if !others.is_empty() {
        return Vec::new();
    }
    let arena = &system.arena;
    let pointers = objects.iter().copied().filter(|t| constant(arena, *t) != Some(null));
    let (moved, fixed): (Vec<TermId>, Vec<TermId>) =
        pointers.partition(|t| constant(arena, *t).is_some_and(|f| moving.contains(&f)));
    let mut out = Vec::new();
    for (object, moves) in moved.iter().map(|t| (*t, true)).chain(fixed.iter().map(|t| (*t, false)))
    {
        let predicate = replace(&mut system.arena, atom, object, v);
        match is_closure || moves || args.len() == 1 {
            true => out.extend(ranked(system, moving, predicate, v)),
            false => out.push((Rank::Later, predicate)),
        }
    }
    if moved.is_empty() && !is_closure && args.len() > 1 {
        out.push((rank(system, moving, atom, v), atom));
    }
    out
}

/// Whether a term stands for data.
fn sort_is_data(system: &trellis_transys::TransitionSystem, term: TermId) -> bool {
    match system.arena.term(term) {
        Term::App(fun, _) => system.vocabulary.fun(*fun).result == system.symbols.data,
        Term::Var(var) => system.arena.var(*var).sort == system.symbols.data,
        _ => false,
    }
}

/// The objects that a term speaks of, each once.
fn leaves(system: &trellis_transys::TransitionSystem, term: TermId, out: &mut Vec<TermId>) {
    match system.arena.term(term) {
        Term::App(fun, args) if system.vocabulary.fun(*fun).result != system.symbols.obj => {
            args.iter().for_each(|&arg| leaves(system, arg, out));
        }
        Term::App(..) | Term::Var(_) if !sort_is_data(system, term) && !out.contains(&term) => {
            out.push(term);
        }
        _ => {}
    }
}

/// A predicate with its rank. Of a tree, what is below an object comes before what is in one of its
/// subtrees: contracts mostly speak of all nodes.
fn ranked(
    system: &mut trellis_transys::TransitionSystem,
    moving: &BTreeSet<FunId>,
    predicate: FormulaId,
    v: TermId,
) -> Vec<(Rank, FormulaId)> {
    let rank = rank(system, moving, predicate, v);
    let Formula::Rel(rel, args) = system.arena.formula(predicate) else {
        return vec![(rank, predicate)];
    };
    let (rel, args) = (*rel, args.to_vec());
    let pointers = &system.symbols.pointers;
    let own = pointers.iter().find(|f| f.relation.now == rel || f.relation.entry == rel);
    let Some(own) = own.filter(|f| f.set.is_some()) else { return vec![(rank, predicate)] };
    let set = pointers.iter().filter(|f| f.set == own.set);
    let sides: Vec<RelId> = set
        .map(|f| if own.relation.now == rel { f.relation.now } else { f.relation.entry })
        .collect();
    let sides: Vec<FormulaId> = sides.into_iter().map(|r| system.arena.rel(r, &args)).collect();
    vec![(rank, system.arena.or(sides)), (Rank::Later, predicate)]
}

/// What is reached from a variable says more than what reaches it; where a variable goes down a tree,
/// the single steps say where it is. What is said about types, undefined cells, and allocation that never
/// changes is rarely needed.
fn rank(
    system: &trellis_transys::TransitionSystem,
    moving: &BTreeSet<FunId>,
    predicate: FormulaId,
    v: TermId,
) -> Rank {
    let Formula::Rel(rel, args) = system.arena.formula(predicate) else { return Rank::First };
    let symbols = &system.symbols;
    if *rel == symbols.at_most && !speaks_of_data(system) {
        return Rank::Later;
    }
    let rare = symbols.types.values().any(|r| r == rel)
        || symbols.alloc.now == symbols.alloc.entry && *rel == symbols.alloc.now
        || symbols.pointers.iter().any(|f| f.undefined == *rel)
        || symbols.integers.iter().any(|f| f.undefined == *rel);
    let from = args.first().filter(|_| args.len() > 1);
    let backwards = from == Some(&v) && (leads_on(system, *rel) || is_step(system, *rel));
    let moves = |term: &TermId| match system.arena.term(*term) {
        Term::App(fun, _) => moving.contains(fun),
        _ => false,
    };
    let subtree = matches!(system.vocabulary.rel(*rel).kind, RelKind::Below { .. });
    let goes_down = subtree && from.is_some_and(moves);
    if rare || backwards || goes_down { Rank::Later } else { Rank::First }
}

/// Whether a relation is that of the single steps of a field.
fn is_step(system: &trellis_transys::TransitionSystem, rel: RelId) -> bool {
    system.symbols.pointers.iter().any(|field| {
        let beside = field.edge.is_some_and(|edge| edge.now == rel || edge.entry == rel);
        let alone = field.relation.now == rel || field.relation.entry == rel;
        beside || alone && !leads_on(system, rel)
    })
}

/// Whether a relation says that one object is reached from another over fields: that of a list or of a
/// subtree.
pub(crate) fn leads_on(system: &trellis_transys::TransitionSystem, rel: RelId) -> bool {
    let kind = system.vocabulary.rel(rel).kind;
    matches!(kind, RelKind::Closure { .. } | RelKind::Below { .. })
}

/// Whether the precondition compares data. If not, data usually decides only where a loop goes.
fn speaks_of_data(system: &trellis_transys::TransitionSystem) -> bool {
    let compares = |f: &FormulaId| {
        let used = system.arena.symbols_in_use(*f);
        used.rels.contains(&system.symbols.at_most)
    };
    system.initial.iter().any(compares)
}

/// An atom with one object in place of another.
fn replace(arena: &mut Arena, atom: FormulaId, old: TermId, new: TermId) -> FormulaId {
    match arena.formula(atom).clone() {
        Formula::Rel(rel, args) => {
            let args: Vec<TermId> =
                args.iter().map(|&a| replace_in_term(arena, a, old, new)).collect();
            arena.rel(rel, &args)
        }
        Formula::Eq(a, b) => {
            let a = replace_in_term(arena, a, old, new);
            let b = replace_in_term(arena, b, old, new);
            arena.eq(a, b)
        }
        _ => atom,
    }
}

fn replace_in_term(arena: &mut Arena, term: TermId, old: TermId, new: TermId) -> TermId {
    if term == old {
        return new;
    }
    match arena.term(term).clone() {
        Term::App(fun, args) if !args.is_empty() => {
            let args: Vec<TermId> =
                args.iter().map(|&a| replace_in_term(arena, a, old, new)).collect();
            arena.app(fun, &args)
        }
        _ => term,
    }
}
