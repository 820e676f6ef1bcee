//! Which formulas the solver takes: closed ones in EPR, together with all that it has taken before.
//!
//! Being stratified is a property of a set of formulas: each of two may be harmless, and both
//! together give infinitely many ground terms. So formulas with functions or ∀∃ are kept, and a new
//! one is judged in their company. The common case, ∃*∀* over constants, needs one look.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use trellis_logic::{
    Arena, Formula, FormulaId, Fragment, FunId, FunKind, Quantifier, SortId, Term, TermId,
    Vocabulary, fragment,
};
use trellis_solver::Refusal;

#[derive(Default)]
pub(crate) struct Admission {
    /// Formulas with functions or ∀∃.
    stratified: Vec<FormulaId>,
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
    ) -> Result<Admitted, Refusal> {
        if let Some(&free) = arena.free_vars(formula).first() {
            let name = &arena.var(free).name;
            return Err(Refusal { reason: format!("the variable `{name}` is free") });
        }
        let mut scan = Scan::new(arena, vocabulary);
        scan.formula(formula, true, false);
        let Scan { integers, functions, forall_exists, has_ites, fields, closures, .. } = scan;
        let stratified = functions || forall_exists;
        if integers || stratified {
            let mut company = self.stratified.clone();
            company.push(formula);
            ask(arena, vocabulary, company)?;
        }
        for &field in &fields {
            if let Some(&other) = self.iterates.get(&field) {
                ask(arena, vocabulary, vec![formula, other])?;
            }
        }
        for &field in &closures {
            if let Some(&other) = self.applies.get(&field) {
                ask(arena, vocabulary, vec![other, formula])?;
            }
        }
        if stratified {
            self.stratified.push(formula);
        }
        for field in fields {
            self.applies.entry(field).or_insert(formula);
        }
        for field in closures {
            self.iterates.entry(field).or_insert(formula);
        }
        Ok(Admitted { has_ites })
    }
}

fn ask(
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    formulas: Vec<FormulaId>,
) -> Result<(), Refusal> {
    let all = arena.and(formulas);
    match fragment(arena, vocabulary, all) {
        Fragment::Beyond(obstacle) => Err(Refusal { reason: obstacle.text }),
        _ => Ok(()),
    }
}

/// One look at a formula.
struct Scan<'a> {
    arena: &'a Arena,
    vocabulary: &'a Vocabulary,
    seen: FxHashSet<(FormulaId, bool, bool)>,
    integers: bool,
    functions: bool,
    forall_exists: bool,
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
            integers: false,
            functions: false,
            forall_exists: false,
            has_ites: false,
            fields: Vec::new(),
            closures: Vec::new(),
        }
    }

    fn formula(&mut self, id: FormulaId, positive: bool, under_forall: bool) {
        let arena = self.arena;
        match arena.formula(id) {
            Formula::True | Formula::False => {}
            Formula::Rel(rel, args) => {
                self.closures.extend(self.vocabulary.rel(*rel).kind.field());
                args.iter().for_each(|&t| self.term(t, under_forall));
            }
            Formula::Eq(a, b) => [a, b].into_iter().for_each(|&t| self.term(t, under_forall)),
            Formula::Le(..) | Formula::Lt(..) => self.integers = true,
            Formula::Not(a) => self.formula(*a, !positive, under_forall),
            _ if !self.seen.insert((id, positive, under_forall)) => {}
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|&p| self.formula(p, positive, under_forall));
            }
            Formula::Implies(a, b) => {
                self.formula(*a, !positive, under_forall);
                self.formula(*b, positive, under_forall);
            }
            Formula::Iff(a, b) => {
                for positive in [true, false] {
                    self.formula(*a, positive, under_forall);
                    self.formula(*b, positive, under_forall);
                }
            }
            Formula::Quant(q, vars, body) => {
                self.integers |= vars.iter().any(|&v| arena.var(v).sort == SortId::INT);
                let exists = (*q == Quantifier::Exists) == positive;
                self.forall_exists |= exists && under_forall;
                self.formula(*body, positive, under_forall || !exists);
            }
        }
    }

    fn term(&mut self, id: TermId, under_forall: bool) {
        let arena = self.arena;
        match arena.term(id) {
            Term::Var(v) => self.integers |= arena.var(*v).sort == SortId::INT,
            Term::App(fun, args) => {
                let declared = self.vocabulary.fun(*fun);
                self.integers |= declared.result == SortId::INT;
                self.functions |= !args.is_empty();
                if declared.kind == FunKind::Field {
                    self.fields.push(*fun);
                }
                args.iter().for_each(|&a| self.term(a, under_forall));
            }
            Term::Num(_) | Term::Arith(..) => self.integers = true,
            Term::Ite(condition, a, b) => {
                self.has_ites = true;
                self.formula(*condition, true, under_forall);
                self.formula(*condition, false, under_forall);
                self.term(*a, under_forall);
                self.term(*b, under_forall);
            }
        }
    }
}
