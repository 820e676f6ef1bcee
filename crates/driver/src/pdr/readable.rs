//! Clauses as people read them.
//!
//! A clause is a disjunction, which is how solvers like it and nobody else: here it becomes an
//! implication, variables that are equal stand for one another, an implication and its converse are
//! one equivalence, and implications with the same premise are one.
//!
//! **Invariant.** What comes out means what went in, all clauses together: that two objects that
//! reach each other over lists are one, and two integers of which neither is greater, are the only
//! laws that are used. Evidence keeps the clauses; a
//! test compares the two by a solver.

use trellis_logic::{
    Arena, Definitions, Formula, FormulaId, FunId, Quantifier, RelId, RelKind, Subst, Term, TermId,
    VarId, Vocabulary,
};
use trellis_transys::TransitionSystem;

/// More clauses than this are not compared with one another.
const MOST: usize = 200;
/// An equivalence of clauses is looked for under all orders of so many variables.
const MOST_VARIABLES: usize = 3;

/// `forall vars: all of the premises imply one of the conclusions`, each a set in the order in which
/// it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Implication {
    vars: Vec<VarId>,
    premises: Vec<FormulaId>,
    conclusions: Vec<FormulaId>,
}

/// What is known of the symbols.
pub(super) struct Laws<'a> {
    vocabulary: &'a Vocabulary,
    null: FunId,
    /// What is reached over lists, which never lead back.
    orders: Vec<RelId>,
    /// The order of integers.
    at_most: Option<RelId>,
}

impl<'a> Laws<'a> {
    pub(super) fn of(system: &'a TransitionSystem) -> Laws<'a> {
        let vocabulary = &system.vocabulary;
        let lists = system.symbols.pointers.iter().filter(|f| {
            let is_closure = |rel| matches!(vocabulary.rel(rel).kind, RelKind::Closure { .. });
            !f.theory.has_cycles() && is_closure(f.relation.now)
        });
        let orders = lists.flat_map(|f| [f.relation.now, f.relation.entry]).collect();
        let at_most = Some(system.symbols.at_most);
        Laws { vocabulary, null: system.symbols.null, orders, at_most }
    }
}

/// The same facts, in an arena of their own.
pub(super) fn readable(
    laws: &Laws<'_>,
    arena: &Arena,
    clauses: &[FormulaId],
) -> (Arena, Vec<FormulaId>) {
    let mut arena = arena.clone();
    let mut reader = Reader { laws, arena: &mut arena };
    let mut clauses = clauses.to_vec();
    if clauses.len() > MOST {
        return (arena, clauses);
    }
    let equal = reader.name_equals(&mut clauses);
    let mut rest = Vec::new();
    let mut implications: Vec<Implication> = Vec::new();
    for clause in clauses {
        match reader.implication(clause) {
            Read::Trivial => {}
            Read::Implication(one) if !implications.contains(&one) => implications.push(one),
            Read::Implication(_) => {}
            Read::Other => rest.push(clause),
        }
    }
    reader.join_converses(&mut implications);
    reader.join_premises(&mut implications);
    let mut out = equal;
    out.extend(implications.iter().map(|one| reader.formula(one)));
    out.extend(rest);
    (arena, out)
}

enum Read {
    /// It is always true.
    Trivial,
    Implication(Implication),
    /// It is no clause.
    Other,
}

struct Reader<'a> {
    laws: &'a Laws<'a>,
    arena: &'a mut Arena,
}

impl Reader<'_> {
    fn is_order(&self, rel: RelId) -> bool {
        self.laws.orders.contains(&rel)
    }

    fn constant(&self, term: TermId) -> Option<FunId> {
        match self.arena.term(term) {
            Term::App(fun, args) if args.is_empty() => Some(*fun),
            _ => None,
        }
    }

    /// Takes the equalities of constants out of the clauses, and replaces one of the two in the others.
    fn name_equals(&mut self, clauses: &mut Vec<FormulaId>) -> Vec<FormulaId> {
        let mut equalities = Vec::new();
        while let Some((kept, replaced)) = self.find_equal(clauses) {
            let mut definitions = Definitions::new();
            definitions.define_fun(replaced, &[], kept);
            for formula in clauses.iter_mut() {
                *formula = self.arena.expand(*formula, &definitions);
            }
            clauses.retain(|clause| !matches!(self.implication(*clause), Read::Trivial));
            let replaced = self.arena.constant(replaced);
            equalities.push(self.arena.eq(kept, replaced));
        }
        equalities
    }

    /// Two constants that are equal: the one that is kept, and the other.
    fn find_equal(&mut self, clauses: &[FormulaId]) -> Option<(TermId, FunId)> {
        let mut reached: Vec<(RelId, TermId, TermId)> = Vec::new();
        for &clause in clauses {
            let pair = match self.arena.formula(clause) {
                Formula::Eq(a, b) => Some((*a, *b)),
                Formula::Rel(rel, args) if args.len() == 2 && self.is_order(*rel) => {
                    let (rel, a, b) = (*rel, args[0], args[1]);
                    reached.push((rel, a, b));
                    reached.contains(&(rel, b, a)).then_some((a, b))
                }
                _ => None,
            };
            let Some((a, b)) = pair else { continue };
            let (Some(f), Some(g)) = (self.constant(a), self.constant(b)) else { continue };
            if f == g {
                continue;
            }
            let name = |fun: FunId| &self.laws.vocabulary.fun(fun).name;
            let null = self.laws.null;
            // Null stays, then what is shorter: `h` rather than `\old(h)`.
            let weight = |fun: FunId| (fun != null, name(fun).len(), name(fun).clone());
            return Some(if weight(f) <= weight(g) { (a, g) } else { (b, f) });
        }
        None
    }

    fn implication(&mut self, clause: FormulaId) -> Read {
        let (vars, body) = match self.arena.formula(clause) {
            Formula::Quant(Quantifier::Forall, vars, body) => (vars.to_vec(), *body),
            Formula::Quant(..) => return Read::Other,
            _ => (Vec::new(), clause),
        };
        let literals = match self.arena.formula(body) {
            Formula::Or(parts) => parts.to_vec(),
            _ => vec![body],
        };
        let (mut premises, mut conclusions) = (Vec::new(), Vec::new());
        for literal in literals {
            let (positive, atom) = match self.arena.formula(literal) {
                Formula::Not(inner) => (false, *inner),
                _ => (true, literal),
            };
            let (null, both_ways) = match self.arena.formula(atom) {
                Formula::Eq(a, b) => (self.is_null(*a) || self.is_null(*b), a == b),
                Formula::Rel(rel, args) => {
                    (false, args.len() == 2 && args[0] == args[1] && self.is_order(*rel))
                }
                Formula::True => (false, true),
                Formula::False if positive => continue,
                Formula::False => return Read::Trivial,
                _ => return Read::Other,
            };
            match (positive, null) {
                (true, _) if both_ways => return Read::Trivial,
                (false, _) if both_ways => {}
                // `x == NULL || F` is `x != NULL ==> F`.
                (true, true) => premises.push(self.arena.not(atom)),
                (true, false) => conclusions.push(atom),
                (false, _) => premises.push(atom),
            }
        }
        Read::Implication(Implication { vars, premises, conclusions })
    }

    fn is_null(&self, term: TermId) -> bool {
        self.constant(term) == Some(self.laws.null)
    }

    /// `P && a ==> b` and `P && b ==> a` are `P ==> (a <==> b)`.
    fn join_converses(&mut self, all: &mut Vec<Implication>) {
        let mut i = 0;
        while i < all.len() {
            let found =
                (i + 1..all.len()).find_map(|j| Some((j, self.converse(&all[i], &all[j])?)));
            match found {
                Some((j, joined)) => {
                    all[i] = joined;
                    all.remove(j);
                }
                None => i += 1,
            }
        }
    }

    fn converse(&mut self, one: &Implication, other: &Implication) -> Option<Implication> {
        let sizes = |i: &Implication| (i.vars.len(), i.premises.len(), i.conclusions.len());
        let [b] = one.conclusions[..] else { return None };
        if sizes(one) != sizes(other) || one.vars.len() > MOST_VARIABLES {
            return None;
        }
        for order in orders(one.vars.len()) {
            let renamed = self.renamed(other, &one.vars, &order)?;
            let [a] = renamed.conclusions[..] else { return None };
            let rest = without(&one.premises, a);
            if a != b
                && one.premises.contains(&a)
                && renamed.premises.contains(&b)
                && same(&rest, &without(&renamed.premises, b))
            {
                let both = self.arena.iff(a, b);
                let vars = one.vars.clone();
                return Some(Implication { vars, premises: rest, conclusions: vec![both] });
            }
        }
        None
    }

    /// The same about other variables, which have the sorts of its own; nothing if they do not.
    fn renamed(
        &mut self,
        of: &Implication,
        vars: &[VarId],
        order: &[usize],
    ) -> Option<Implication> {
        let mut subst = Subst::new();
        for (from, &to) in of.vars.iter().zip(order) {
            if self.arena.var(*from).sort != self.arena.var(vars[to]).sort {
                return None;
            }
            let to = self.arena.var_term(vars[to]);
            subst.insert(*from, to);
        }
        let mut all = |formulas: &[FormulaId]| -> Vec<FormulaId> {
            formulas.iter().map(|&f| self.arena.subst(f, &subst)).collect()
        };
        let (premises, conclusions) = (all(&of.premises), all(&of.conclusions));
        Some(Implication { vars: vars.to_vec(), premises, conclusions })
    }

    /// `P ==> c` and `P ==> d` are `P ==> c && d`.
    fn join_premises(&mut self, all: &mut Vec<Implication>) {
        let mut i = 0;
        while i < all.len() {
            let mut j = i + 1;
            while j < all.len() {
                match self.with_same_premises(&all[i], &all[j]) {
                    Some(joined) => {
                        all[i] = joined;
                        all.remove(j);
                    }
                    None => j += 1,
                }
            }
            i += 1;
        }
    }

    fn with_same_premises(
        &mut self,
        one: &Implication,
        other: &Implication,
    ) -> Option<Implication> {
        let several = one.conclusions.is_empty() || other.conclusions.is_empty();
        if several || one.premises.is_empty() || one.vars.len() != other.vars.len() {
            return None;
        }
        let identity: Vec<usize> = (0..one.vars.len()).collect();
        let other = self.renamed(other, &one.vars, &identity)?;
        if !same(&one.premises, &other.premises) {
            return None;
        }
        let parts = [&one.conclusions, &other.conclusions].map(|c| self.arena.or(c.clone()));
        let both = self.arena.and(parts);
        Some(Implication { conclusions: vec![both], ..one.clone() })
    }

    /// `a <= b` and `b <= a` among facts that all hold are `a == b`.
    fn join_bounds(&mut self, all: &mut Vec<FormulaId>) {
        let mut i = 0;
        while i < all.len() {
            if let Formula::Rel(rel, args) = self.arena.formula(all[i]).clone()
                && Some(rel) == self.laws.at_most
            {
                let converse = self.arena.rel(rel, &[args[1], args[0]]);
                if let Some(j) = (i + 1..all.len()).find(|j| all[*j] == converse) {
                    all[i] = self.arena.eq(args[0], args[1]);
                    all.remove(j);
                }
            }
            i += 1;
        }
    }

    fn formula(&mut self, one: &Implication) -> FormulaId {
        let (mut premises, mut conclusions) = (one.premises.clone(), one.conclusions.clone());
        self.join_bounds(&mut premises);
        if let [one] = conclusions[..]
            && let Formula::And(parts) = self.arena.formula(one)
        {
            let mut parts = parts.to_vec();
            self.join_bounds(&mut parts);
            conclusions = vec![self.arena.and(parts)];
        }
        if conclusions.is_empty()
            && let Some(last) = premises.pop()
        {
            conclusions.push(self.arena.not(last));
        }
        let (premise, conclusion) = (self.arena.and(premises), self.arena.or(conclusions));
        let body = self.arena.implies(premise, conclusion);
        match one.vars.is_empty() {
            true => body,
            false => self.arena.forall(&one.vars, body),
        }
    }
}

fn without(all: &[FormulaId], one: FormulaId) -> Vec<FormulaId> {
    all.iter().copied().filter(|f| *f != one).collect()
}

/// Whether two lists have the same members.
fn same(one: &[FormulaId], other: &[FormulaId]) -> bool {
    one.len() == other.len() && one.iter().all(|f| other.contains(f))
}

/// All orders of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: Vec<usize>| {
            let left: Vec<usize> = (0..count).filter(|i| !order.contains(i)).collect();
            left.into_iter().map(move |i| [order.clone(), vec![i]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use trellis_logic::{SortId, Structure, Value};

    /// Lists over one field as they are now and were before, some variables.
    struct Lists {
        vocabulary: Vocabulary,
        obj: SortId,
        fields: [FunId; 2],
        orders: [RelId; 2],
        constants: Vec<FunId>,
        alloc: RelId,
        /// Of objects, as if they were integers.
        at_most: RelId,
    }

    impl Lists {
        fn new() -> Lists {
            let mut vocabulary = Vocabulary::new();
            let obj = vocabulary.sort("obj");
            let fields = ["next", "\\old(next)"].map(|name| vocabulary.field(name, obj, obj));
            let orders = fields.map(|field| vocabulary.closure("reach", field));
            let names = ["NULL", "h", "\\old(h)", "p"];
            let constants = names.map(|name| vocabulary.constant(name, obj)).to_vec();
            let alloc = vocabulary.relation("alloc", &[obj]);
            let at_most = vocabulary.relation("at_most", &[obj, obj]);
            Lists { vocabulary, obj, fields, orders, constants, alloc, at_most }
        }

        fn laws(&self) -> Laws<'_> {
            let null = self.constants[0];
            let (orders, at_most) = (self.orders.to_vec(), Some(self.at_most));
            Laws { vocabulary: &self.vocabulary, null, orders, at_most }
        }

        /// A clause of up to three literals over the constants and some variables.
        fn clause(&self, arena: &mut Arena, next: &mut dyn FnMut(usize) -> usize) -> FormulaId {
            let count = next(3);
            let vars: Vec<VarId> =
                (0..count).map(|i| arena.variable(format!("v{i}"), self.obj)).collect();
            let mut terms: Vec<TermId> =
                self.constants.iter().map(|&c| arena.constant(c)).collect();
            terms.extend(vars.iter().map(|&v| arena.var_term(v)));
            let literals: Vec<FormulaId> = (0..1 + next(3))
                .map(|_| {
                    let (x, y) = (terms[next(terms.len())], terms[next(terms.len())]);
                    let atom = match next(6) {
                        0 => arena.eq(x, y),
                        1 => arena.rel(self.alloc, &[x]),
                        n @ (2 | 3) => arena.rel(self.orders[n - 2], &[x, y]),
                        _ => arena.rel(self.at_most, &[x, y]),
                    };
                    if next(2) == 0 { arena.not(atom) } else { atom }
                })
                .collect();
            let body = arena.or(literals);
            arena.forall(&vars, body)
        }

        /// A heap of so many objects without cycles; null is 0.
        fn heap(&self, size: u32, next: &mut dyn FnMut(usize) -> usize) -> Structure {
            let sizes: Vec<u32> = self.vocabulary.sorts().map(|_| size).collect();
            let mut heap = Structure::new(Arc::new(self.vocabulary.clone()), &sizes);
            for (x, y) in (0..size).flat_map(|x| (x..size).map(move |y| (x, y))) {
                heap.set_rel(self.at_most, &[x, y], true);
            }
            for x in 1..size {
                heap.set_rel(self.alloc, &[x], next(2) == 0);
                for field in self.fields {
                    let to = next(x as usize) as u32;
                    heap.set_fun(field, &[x], Some(Value::Elem(to)));
                }
            }
            heap.set_constant(self.constants[0], 0);
            for &constant in &self.constants[1..] {
                heap.set_constant(constant, next(size as usize) as u32);
            }
            heap
        }
    }

    #[test]
    fn what_is_read_means_what_was_written() {
        let lists = Lists::new();
        let mut seed = 7_u64;
        let mut next = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        let (mut changed, mut both) = (0, [0, 0]);
        for _ in 0..400 {
            let mut arena = Arena::new();
            let count = 1 + next(6);
            let clauses: Vec<FormulaId> =
                (0..count).map(|_| lists.clause(&mut arena, &mut next)).collect();
            let (other, read) = readable(&lists.laws(), &arena, &clauses);
            changed += usize::from(read != clauses);
            for _ in 0..40 {
                let size = 1 + next(4) as u32;
                let heap = lists.heap(size, &mut next);
                let all = |arena: &Arena, of: &[FormulaId]| {
                    of.iter().all(|&f| heap.eval(arena, f) == Ok(true))
                };
                let before = all(&arena, &clauses);
                both[usize::from(before)] += 1;
                let say = |arena: &Arena, of: &[FormulaId]| {
                    let print = |&f: &FormulaId| arena.print(&lists.vocabulary, f);
                    of.iter().map(print).collect::<Vec<_>>()
                };
                let (then, now) = (say(&arena, &clauses), say(&other, &read));
                assert_eq!(all(&other, &read), before, "{then:#?}\n{now:#?}\n{heap:?}");
            }
        }
        assert!(changed > 300 && both.iter().all(|n| *n > 500), "{changed} {both:?}");
    }

    #[test]
    fn equals_converses_and_premises_are_joined() {
        let lists = Lists::new();
        let mut arena = Arena::new();
        let [v, w] = ["v", "w"].map(|name| arena.variable(name, lists.obj));
        let [a, b] = [v, w].map(|var| arena.var_term(var));
        let [null, h, old, p] = [0, 1, 2, 3].map(|i| arena.constant(lists.constants[i]));
        let [now, then] = lists.orders;
        let implies = |arena: &mut Arena, premise: FormulaId, conclusion: FormulaId| {
            let body = arena.implies(premise, conclusion);
            let literals = match arena.formula(body).clone() {
                Formula::Implies(x, y) => {
                    let not = arena.not(x);
                    arena.or([not, y])
                }
                _ => body,
            };
            arena.forall(&[v, w], literals)
        };
        let clauses = [
            arena.rel(now, &[h, old]),
            arena.rel(now, &[old, h]),
            {
                let (x, y) = (arena.rel(now, &[a, b]), arena.rel(then, &[a, b]));
                implies(&mut arena, x, y)
            },
            {
                let (x, y) = (arena.rel(then, &[b, a]), arena.rel(now, &[b, a]));
                implies(&mut arena, x, y)
            },
            {
                let (x, y) = (arena.eq(p, null), arena.rel(now, &[old, p]));
                arena.or([x, y])
            },
            {
                let (x, y) = (arena.eq(p, null), arena.rel(lists.alloc, &[p]));
                arena.or([x, y])
            },
            {
                let (x, y) = (arena.rel(lists.at_most, &[a, h]), arena.rel(lists.at_most, &[h, a]));
                let parts = [x, y].map(|atom| arena.not(atom));
                let reached = arena.rel(now, &[h, a]);
                let body = arena.or([parts[0], parts[1], reached]);
                arena.forall(&[v], body)
            },
        ];
        let (other, read) = readable(&lists.laws(), &arena, &clauses);
        let read: Vec<String> = read.iter().map(|&f| other.print(&lists.vocabulary, f)).collect();
        assert_eq!(
            read,
            [
                "h == \\old(h)",
                "\\forall obj v, w; reach(next, v, w) <==> reach(\\old(next), v, w)",
                "p != NULL ==> reach(next, h, p) && alloc(p)",
                "\\forall obj v; v == h ==> reach(next, h, v)",
            ]
        );
    }
}
