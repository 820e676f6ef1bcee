//! Which formulas the solver takes: closed ones in EPR, together with all that it has taken before.
//!
//! Being stratified is a property of a set of formulas: each of two may be harmless, and both
//! together give infinitely many ground terms. So the edges of the graph on sorts (see the module
//! `fragment` of the logic) are kept, each with a formula that caused it. Most formulas bring no new
//! edge and cost one look; `fragment` itself is asked only to name what is wrong.
//!
//! **Invariant**: the graph of what was taken has no cycle.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use trellis_logic::{
    Arena, Formula, FormulaId, Fragment, FunId, FunKind, Quantifier, SortId, Term, TermId, VarId,
    Vocabulary, fragment,
};
use trellis_solver::OutsideFragment;

type Edge = (SortId, SortId);

#[derive(Default)]
pub(crate) struct Admission {
    /// From the sort of a universal variable to that of a term or witness that depends on it, with
    /// a formula that has it.
    edges: BTreeMap<Edge, FormulaId>,
    /// A formula that applies the field.
    applies: BTreeMap<FunId, FormulaId>,
    /// A formula that speaks of the field's closure.
    iterates: BTreeMap<FunId, FormulaId>,
}

/// What there is to know about a formula that was let in.
pub(crate) struct Admitted {
    /// Whether it has conditional terms.
    pub(crate) has_ites: bool,
}

impl Admission {
    /// Lets a formula in, or says why not.
    pub(crate) fn admit(
        &mut self,
        arena: &mut Arena,
        vocabulary: &Vocabulary,
        formula: FormulaId,
    ) -> Result<Admitted, OutsideFragment> {
        if let Some(&free) = arena.free_vars(formula).first() {
            let name = &arena.var(free).name;
            return Err(OutsideFragment { reason: format!("the variable `{name}` is free") });
        }
        let mut scan = Scan::new(arena, vocabulary);
        scan.formula(formula, true);
        let Scan { integers, has_ites, edges, fields, closures, .. } = scan;
        let mut company = Vec::new();
        let is_new = |e: &&Edge| !self.edges.contains_key(e);
        let new: BTreeMap<Edge, FormulaId> =
            edges.iter().filter(is_new).map(|&e| (e, formula)).collect();
        if !new.is_empty() {
            let mut all = self.edges.clone();
            all.extend(&new);
            company.extend(cycle(&all));
        }
        company.extend(fields.iter().filter_map(|f| self.iterates.get(f)));
        company.extend(closures.iter().filter_map(|f| self.applies.get(f)));
        let beside = fields.iter().any(|f| closures.contains(f));
        if integers || beside || !company.is_empty() {
            return Err(refuse(arena, vocabulary, formula, company));
        }
        self.edges.extend(new);
        for field in fields {
            self.applies.entry(field).or_insert(formula);
        }
        for field in closures {
            self.iterates.entry(field).or_insert(formula);
        }
        Ok(Admitted { has_ites })
    }
}

/// Says what is wrong with a formula, or else with it and the others.
fn refuse(
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    formula: FormulaId,
    mut others: Vec<FormulaId>,
) -> OutsideFragment {
    if let Fragment::Beyond(obstacle) = fragment(arena, vocabulary, formula) {
        return OutsideFragment { reason: obstacle.text };
    }
    others.push(formula);
    let sort = vocabulary.sorts().last().unwrap_or(SortId::INT);
    // A conjunction of a formula and its negation is false and in any fragment, so each formula
    // gets a way out of its own.
    let guarded: Vec<FormulaId> = (0..)
        .zip(others)
        .map(|(i, f)| {
            let [a, b] = ["a", "b"].map(|name| arena.variable(format!("${name}{i}"), sort));
            let (a, b) = (arena.var_term(a), arena.var_term(b));
            let way_out = arena.eq(a, b);
            arena.or([f, way_out])
        })
        .collect();
    let all = arena.and(guarded);
    let reason = match fragment(arena, vocabulary, all) {
        Fragment::Beyond(obstacle) => obstacle.text,
        _ => "its quantifiers and functions are not stratified".to_string(),
    };
    OutsideFragment { reason }
}

/// The formulas of the edges of a cycle, if there is one.
fn cycle(edges: &BTreeMap<Edge, FormulaId>) -> Vec<FormulaId> {
    let mut rest: Vec<(Edge, FormulaId)> = edges.iter().map(|(&e, &f)| (e, f)).collect();
    // An edge whose end has no way on, or whose start none to it, is on no cycle.
    loop {
        let before = rest.len();
        let sorts = rest.clone();
        rest.retain(|((from, to), _)| {
            sorts.iter().any(|((f, _), _)| f == to) && sorts.iter().any(|((_, t), _)| t == from)
        });
        if rest.len() == before {
            break;
        }
    }
    let mut formulas: Vec<FormulaId> = rest.into_iter().map(|(_, f)| f).collect();
    formulas.sort_unstable();
    formulas.dedup();
    formulas
}

/// One look at a formula.
struct Scan<'a> {
    arena: &'a Arena,
    vocabulary: &'a Vocabulary,
    /// Closed subformulas that were looked at.
    seen: FxHashSet<(FormulaId, bool)>,
    /// Bound variables, inner ones last, with the sorts of the universal variables they stand for
    /// or depend on.
    scope: Vec<(VarId, Vec<SortId>)>,
    edges: Vec<Edge>,
    integers: bool,
    has_ites: bool,
    fields: Vec<FunId>,
    closures: Vec<FunId>,
}

impl<'a> Scan<'a> {
    fn new(arena: &'a Arena, vocabulary: &'a Vocabulary) -> Self {
        Scan {
            arena,
            vocabulary,
            seen: FxHashSet::default(),
            scope: Vec::new(),
            edges: Vec::new(),
            integers: false,
            has_ites: false,
            fields: Vec::new(),
            closures: Vec::new(),
        }
    }

    /// Edges to a sort from those of the universal variables behind these free ones.
    fn depends(&mut self, free: &[VarId], to: SortId) {
        for v in free {
            if let Some((_, sorts)) = self.scope.iter().rev().find(|(w, _)| w == v) {
                self.edges.extend(sorts.iter().map(|&from| (from, to)));
            }
        }
    }

    fn formula(&mut self, id: FormulaId, positive: bool) {
        let arena = self.arena;
        match arena.formula(id) {
            Formula::True | Formula::False => {}
            Formula::Rel(rel, args) => {
                self.closures.extend(self.vocabulary.rel(*rel).kind.field());
                args.iter().for_each(|&t| self.term(t));
            }
            Formula::Eq(a, b) => [a, b].into_iter().for_each(|&t| self.term(t)),
            Formula::Le(..) | Formula::Lt(..) => self.integers = true,
            Formula::Not(a) => self.formula(*a, !positive),
            _ if arena.free_vars(id).is_empty() && !self.seen.insert((id, positive)) => {}
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|&p| self.formula(p, positive));
            }
            Formula::Implies(a, b) => {
                self.formula(*a, !positive);
                self.formula(*b, positive);
            }
            Formula::Iff(a, b) => {
                for positive in [true, false] {
                    self.formula(*a, positive);
                    self.formula(*b, positive);
                }
            }
            Formula::Quant(q, vars, body) => {
                let depth = self.scope.len();
                let mut bound = Vec::with_capacity(vars.len());
                for &v in vars {
                    let sort = arena.var(v).sort;
                    self.integers |= sort == SortId::INT;
                    bound.push(if (*q == Quantifier::Exists) == positive {
                        let before = self.edges.len();
                        self.depends(arena.free_vars(id), sort);
                        (v, self.edges[before..].iter().map(|&(from, _)| from).collect())
                    } else {
                        (v, vec![sort])
                    });
                }
                self.scope.append(&mut bound);
                self.formula(*body, positive);
                self.scope.truncate(depth);
            }
        }
    }

    fn term(&mut self, id: TermId) {
        let arena = self.arena;
        match arena.term(id) {
            Term::Var(v) => self.integers |= arena.var(*v).sort == SortId::INT,
            Term::App(fun, args) => {
                let declared = self.vocabulary.fun(*fun);
                self.integers |= declared.result == SortId::INT;
                self.depends(arena.free_vars_of_term(id), declared.result);
                if declared.kind == FunKind::Field {
                    self.fields.push(*fun);
                }
                args.iter().for_each(|&a| self.term(a));
            }
            Term::Num(_) | Term::Arith(..) => self.integers = true,
            Term::Ite(condition, a, b) => {
                self.has_ites = true;
                self.formula(*condition, true);
                self.formula(*condition, false);
                self.term(*a);
                self.term(*b);
            }
        }
    }
}
