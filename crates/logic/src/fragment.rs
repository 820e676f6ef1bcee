//! Naming the fragment of a formula: the fragment is checked, not hoped for.
//!
//! The fragments are those of *Property-Directed Shape Analysis*, Definition 1, and their
//! surroundings:
//!
//! ```text
//!                   ⊂ Universal   ⊂
//!   QuantifierFree                   AfR ⊂ EaR ⊂ Epr ⊂ Beyond
//!                   ⊂ Existential ⊂
//! ```
//!
//! Up to `EaR` a term is a variable or a constant; relations, closures and equality are free. A
//! formula belongs to the smallest fragment that its negation normal form fits. Free variables
//! count as constants.
//!
//! - `AfR`: a Boolean combination of universal formulas: neither quantifier is under the other.
//! - `EaR`: no existential quantifier under a universal one, so that prenexing gives ∃*∀*.
//! - `Epr`: functions and ∀∃ are allowed if they are *stratified*: the graph on sorts with an edge
//!   from the sort of a universal variable to the sort of every term (or witness) that contains it
//!   has no cycle. Then only finitely many ground terms matter.
//! - `Beyond`: everything else. Integers are always beyond. So is a formula that both applies a
//!   field and speaks of its closure, because a solver for `Epr` would not know that the two belong
//!   together; define the field by its closure (*Property-Directed Shape Analysis*, equation 2)
//!   instead.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::arena::{Arena, Formula, Quantifier, Term};
use crate::ids::{FormulaId, SortId, TermId, VarId};
use crate::measure::{Node, Walk};
use crate::vocabulary::{FunKind, Vocabulary};

/// A fragment of first-order logic; see the module for the inclusions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fragment {
    /// No quantifiers.
    QuantifierFree,
    /// Only universal quantifiers.
    Universal,
    /// Only existential quantifiers.
    Existential,
    /// Alternation-free: a Boolean combination of universal formulas.
    AfR,
    /// ∃*∀*.
    EaR,
    /// Effectively propositional with stratified functions and alternations.
    Epr,
    /// None of these.
    Beyond(Obstacle),
}

/// Why a formula is in none of the decidable fragments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// For the user, in the user's names.
    pub text: String,
    /// The offending quantified formulas or atoms, as subformulas of the negation normal form.
    pub formulas: Vec<FormulaId>,
    /// The offending terms.
    pub terms: Vec<TermId>,
}

impl Fragment {
    /// Whether every formula of `other` is also one of this fragment.
    pub fn includes(&self, other: &Fragment) -> bool {
        self.level() > other.level()
            || std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Whether the embedded solver decides it.
    pub fn is_decidable(&self) -> bool {
        !matches!(self, Fragment::Beyond(_))
    }

    fn level(&self) -> u8 {
        match self {
            Fragment::QuantifierFree => 0,
            Fragment::Universal | Fragment::Existential => 1,
            Fragment::AfR => 2,
            Fragment::EaR => 3,
            Fragment::Epr => 4,
            Fragment::Beyond(_) => 5,
        }
    }
}

/// The smallest fragment that a well-sorted formula belongs to.
pub fn fragment(arena: &mut Arena, vocabulary: &Vocabulary, formula: FormulaId) -> Fragment {
    let nnf = arena.nnf(formula);
    let arena = &*arena;
    if let Some(obstacle) = integers(arena, vocabulary, nnf) {
        return Fragment::Beyond(obstacle);
    }
    if let Some(obstacle) = field_beside_closure(arena, vocabulary, nnf) {
        return Fragment::Beyond(obstacle);
    }
    let mut alternation = Alternation::default();
    alternation.visit(arena, nnf, false, false);
    let used = arena.symbols_in_use(nnf);
    if used.funs.iter().all(|&f| vocabulary.fun(f).args.is_empty()) {
        match alternation {
            Alternation { exists: false, forall: false, .. } => return Fragment::QuantifierFree,
            Alternation { exists: false, .. } => return Fragment::Universal,
            Alternation { forall: false, .. } => return Fragment::Existential,
            Alternation { forall_exists: false, exists_forall: false, .. } => return Fragment::AfR,
            Alternation { forall_exists: false, .. } => return Fragment::EaR,
            Alternation { forall_exists: true, .. } => {}
        }
    }
    match stratify(arena, vocabulary, nnf) {
        None => Fragment::Epr,
        Some(obstacle) => Fragment::Beyond(obstacle),
    }
}

/// Which quantifiers occur, and which under which.
#[derive(Default)]
struct Alternation {
    exists: bool,
    forall: bool,
    exists_forall: bool,
    forall_exists: bool,
    /// Formulas already visited, with what they were under.
    seen: FxHashSet<(FormulaId, bool, bool)>,
}

impl Alternation {
    fn visit(&mut self, arena: &Arena, id: FormulaId, under_exists: bool, under_forall: bool) {
        if !self.seen.insert((id, under_exists, under_forall)) {
            return;
        }
        match arena.formula(id) {
            Formula::And(parts) | Formula::Or(parts) => {
                for &p in parts {
                    self.visit(arena, p, under_exists, under_forall);
                }
            }
            Formula::Quant(Quantifier::Exists, _, body) => {
                self.exists = true;
                self.forall_exists |= under_forall;
                self.visit(arena, *body, true, under_forall);
            }
            Formula::Quant(Quantifier::Forall, _, body) => {
                self.forall = true;
                self.exists_forall |= under_exists;
                self.visit(arena, *body, under_exists, true);
            }
            _ => {}
        }
    }
}

fn integers(arena: &Arena, vocabulary: &Vocabulary, nnf: FormulaId) -> Option<Obstacle> {
    let mut found = None;
    Walk::new(arena).visit(Node::Formula(nnf), |node| {
        if let Node::Term(t) = node
            && found.is_none()
            && arena.sort_of(vocabulary, t) == SortId::INT
        {
            found = Some(t);
        }
    });
    found.map(|term| Obstacle {
        text: format!("`{}` is an integer", arena.print_term(vocabulary, term)),
        formulas: Vec::new(),
        terms: vec![term],
    })
}

fn field_beside_closure(
    arena: &Arena,
    vocabulary: &Vocabulary,
    nnf: FormulaId,
) -> Option<Obstacle> {
    let mut applied = BTreeMap::new();
    let mut iterated = BTreeMap::new();
    Walk::new(arena).visit(Node::Formula(nnf), |node| match node {
        Node::Term(t) => {
            if let Term::App(fun, _) = arena.term(t)
                && vocabulary.fun(*fun).kind == FunKind::Field
            {
                applied.entry(*fun).or_insert(t);
            }
        }
        Node::Formula(f) => {
            if let Formula::Rel(rel, _) = arena.formula(f)
                && let Some(field) = vocabulary.rel(*rel).kind.field()
            {
                iterated.entry(field).or_insert(f);
            }
        }
    });
    let (field, term) = applied.into_iter().find(|(field, _)| iterated.contains_key(field))?;
    let closure = iterated[&field];
    Some(Obstacle {
        text: format!(
            "`{}` applies the field that `{}` iterates",
            arena.print_term(vocabulary, term),
            arena.print(vocabulary, closure)
        ),
        formulas: vec![closure],
        terms: vec![term],
    })
}

/// Why there is an edge in the graph on sorts.
#[derive(Clone, Copy)]
enum Cause {
    /// This quantified formula has a witness that depends on a universal variable.
    Witness(FormulaId),
    /// This term contains a universal variable.
    Term(TermId),
}

type SortGraph = BTreeMap<SortId, BTreeMap<SortId, Cause>>;

fn stratify(arena: &Arena, vocabulary: &Vocabulary, nnf: FormulaId) -> Option<Obstacle> {
    let mut edges = Edges { arena, vocabulary, graph: SortGraph::new(), scope: Vec::new() };
    edges.formula(nnf);
    let cycle = find_cycle(&edges.graph)?;
    let name = |sort: SortId| vocabulary.sort_of(sort).name.as_str();
    let mut obstacle = Obstacle { text: String::new(), formulas: Vec::new(), terms: Vec::new() };
    let mut reasons = Vec::new();
    let mut path = vec![name(cycle[0].0)];
    for (_, to, cause) in cycle {
        path.push(name(to));
        reasons.push(match cause {
            Cause::Witness(f) => {
                obstacle.formulas.push(f);
                format!("`{}` is under a universal quantifier", arena.print(vocabulary, f))
            }
            Cause::Term(t) => {
                obstacle.terms.push(t);
                let text = arena.print_term(vocabulary, t);
                format!("`{text}` is a function of a universal variable")
            }
        });
    }
    obstacle.text = format!("not stratified ({}): {}", path.join(" → "), reasons.join("; "));
    Some(obstacle)
}

struct Edges<'a> {
    arena: &'a Arena,
    vocabulary: &'a Vocabulary,
    graph: SortGraph,
    /// Bound variables, inner ones last, with the sorts of the universal variables they stand for
    /// or depend on.
    scope: Vec<(VarId, Vec<SortId>)>,
}

impl Edges<'_> {
    fn universal_sorts(&self, free: &[VarId]) -> Vec<SortId> {
        let mut sorts = Vec::new();
        for v in free {
            if let Some((_, of)) = self.scope.iter().rev().find(|(w, _)| w == v) {
                sorts.extend_from_slice(of);
            }
        }
        sorts.sort_unstable();
        sorts.dedup();
        sorts
    }

    fn add(&mut self, from: &[SortId], to: SortId, cause: Cause) {
        for &sort in from {
            self.graph.entry(sort).or_default().entry(to).or_insert(cause);
        }
    }

    fn formula(&mut self, id: FormulaId) {
        let arena = self.arena;
        match arena.formula(id) {
            Formula::True | Formula::False => {}
            Formula::Rel(_, args) => args.iter().for_each(|&t| self.term(t)),
            Formula::Eq(a, b) | Formula::Le(a, b) | Formula::Lt(a, b) => {
                self.term(*a);
                self.term(*b);
            }
            Formula::Not(a) => self.formula(*a),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|&p| self.formula(p)),
            Formula::Implies(a, b) | Formula::Iff(a, b) => {
                self.formula(*a);
                self.formula(*b);
            }
            Formula::Quant(q, vars, body) => {
                let depth = self.scope.len();
                let depends_on = self.universal_sorts(arena.free_vars(id));
                for &v in vars {
                    let sort = arena.var(v).sort;
                    match q {
                        Quantifier::Forall => self.scope.push((v, vec![sort])),
                        Quantifier::Exists => {
                            self.add(&depends_on, sort, Cause::Witness(id));
                            self.scope.push((v, depends_on.clone()));
                        }
                    }
                }
                self.formula(*body);
                self.scope.truncate(depth);
            }
        }
    }

    fn term(&mut self, id: TermId) {
        let arena = self.arena;
        match arena.term(id) {
            Term::Var(_) | Term::Num(_) => {}
            Term::App(fun, args) => {
                let from = self.universal_sorts(arena.free_vars_of_term(id));
                self.add(&from, self.vocabulary.fun(*fun).result, Cause::Term(id));
                args.iter().for_each(|&t| self.term(t));
            }
            Term::Arith(_, a, b) => {
                self.term(*a);
                self.term(*b);
            }
            Term::Ite(c, a, b) => {
                self.formula(*c);
                self.term(*a);
                self.term(*b);
            }
        }
    }
}

/// A shortest cycle, from the smallest sort that lies on one.
fn find_cycle(graph: &SortGraph) -> Option<Vec<(SortId, SortId, Cause)>> {
    for &start in graph.keys() {
        let mut parent: BTreeMap<SortId, (SortId, Cause)> = BTreeMap::new();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(from) = queue.pop_front() {
            for (&to, &cause) in graph.get(&from).into_iter().flatten() {
                if parent.contains_key(&to) {
                    continue;
                }
                parent.insert(to, (from, cause));
                queue.push_back(to);
            }
        }
        if parent.contains_key(&start) {
            let mut cycle = Vec::new();
            let mut at = start;
            loop {
                let (from, cause) = parent[&at];
                cycle.push((from, at, cause));
                at = from;
                if at == start {
                    cycle.reverse();
                    return Some(cycle);
                }
            }
        }
    }
    None
}
