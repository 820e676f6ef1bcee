//! Contract formulas in which single steps and existential quantifiers stand under universal ones,
//! as universal formulas.
//!
//! What is assumed has to be ∃*∀*. In the relation of a field a step `x->f == y` is a universal
//! formula (*Property-Directed Shape Analysis*, equation 2), so a universal formula with a step
//! among its premises is not, and neither is one that says that something exists for each object.
//! Both are common in invariants of classes: "whatever a node leads to is in the list", "where
//! there is a predecessor, `prev` is it". Often they have an equivalent that is universal:
//!
//! * `lift`: a property of steps that carries over to paths is one of all paths.
//! * [`instance`](Universal::instance): an existential quantifier whose witness another part of the
//!   formula names is that part's.
//!
//! Both are asked of a solver. What has no such form is refused, or left out where less may be
//! known: see [`Leave`].
//!
//! **Invariant.** What comes out follows from what goes in; unless [`Universal::left_out`] says
//! otherwise, it says the same of every state that the theory of the fields has and in which the
//! facts hold.

mod clauses;
mod lift;

use std::collections::BTreeMap;

use trellis_logic::{Definitions, Formula, FormulaId, Quantifier, RelId, Subst, TermId, VarId};
use trellis_logic::{Fragment, Vocabulary, fragment};
use trellis_program::view::Twin;
use trellis_solver::{Answer, Context, Limits};

use crate::contract::relational::{Mode, Relational};
use crate::execute::Builder;
use crate::symbols::Symbols;
use crate::theory::{FieldAt, HeapLogic};

/// What to do with a part that has no universal form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leave {
    /// The formula is refused.
    Refuse,
    /// The part is left out: less is known.
    Out,
}

/// Which universal quantifiers come to the front.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hoist {
    AroundExistentials,
    All,
}

/// More clauses than this are not made of one formula.
const MOST_CLAUSES: usize = 200;

/// One formula on its way.
pub(super) struct Universal<'b, 'a> {
    builder: &'b mut Builder<'a>,
    /// The symbols, with steps for all fields.
    symbols: Symbols,
    logic: Vocabulary,
    /// The steps that only these symbols have.
    steps: BTreeMap<RelId, FieldAt>,
    /// What holds of every state at hand.
    facts: Vec<FormulaId>,
    leave: Leave,
    left_out: bool,
    fresh: u32,
}

/// A formula that is assumed, or the opposite of one that is checked, in a form that solvers know.
pub(crate) struct Assumed {
    pub(crate) formula: FormulaId,
    /// Whether something was left out.
    pub(crate) left_out: bool,
}

impl<'a> Builder<'a> {
    /// A formula of the view as it is assumed, or, if it is checked, its opposite. `facts` hold
    /// wherever that is used.
    pub(crate) fn universal(
        &mut self,
        formula: FormulaId,
        mode: Mode,
        facts: &[FormulaId],
        leave: Leave,
    ) -> Result<Assumed, String> {
        let mut universal = Universal::new(self, facts, leave);
        let holds = universal.relational(mode).holds(formula)?;
        let arena = &mut universal.builder.arena;
        let asked = if mode == Mode::Assume { holds } else { arena.not(holds) };
        let asked = arena.nnf(asked);
        let formula = universal.outside(asked)?;
        let left_out = universal.left_out;
        match fragment(&mut self.arena, &self.logic, formula) {
            Fragment::Beyond(obstacle) => Err(obstacle.text),
            _ => Ok(Assumed { formula, left_out }),
        }
    }
}

impl<'b, 'a> Universal<'b, 'a> {
    fn new(builder: &'b mut Builder<'a>, facts: &[FormulaId], leave: Leave) -> Self {
        let mut symbols = builder.symbols.clone();
        let mut logic = builder.logic.clone();
        let mut steps = BTreeMap::new();
        let obj = symbols.obj;
        for (i, field) in symbols.pointers.iter_mut().enumerate() {
            if field.edge.is_some() || field.theory.edge_rules().is_none() {
                continue;
            }
            let name = logic.fresh_name(&field.name);
            let now = logic.state_relation(name, &[obj, obj]);
            steps.insert(now, FieldAt::now(i));
            let entry = match field.relation.now == field.relation.entry {
                true => now,
                false => {
                    let name = logic.fresh_name(&format!("\\old({})", field.name));
                    logic.state_relation(name, &[obj, obj])
                }
            };
            steps.entry(entry).or_insert(FieldAt::entry(i));
            field.edge = Some(Twin { now, entry });
        }
        let mut facts = facts.to_vec();
        facts.extend(builder.axioms());
        let own = Vec::new();
        let mut new = Universal {
            builder,
            symbols,
            logic,
            steps,
            facts: own,
            leave,
            left_out: false,
            fresh: 0,
        };
        for at in new.steps.values().copied().collect::<Vec<_>>() {
            facts.extend(new.heap().edge_axioms(at));
        }
        new.facts = facts;
        new
    }

    fn heap(&mut self) -> HeapLogic<'_> {
        let fields = self.symbols.fields();
        HeapLogic { arena: &mut self.builder.arena, vocabulary: &self.logic, fields }
    }

    fn relational(&mut self, mode: Mode) -> Relational<'_> {
        let plain = self.builder.relational(mode);
        Relational { symbols: &mut self.symbols, logic: &mut self.logic, ..plain }
    }

    fn variable(&mut self) -> (VarId, TermId) {
        self.fresh += 1;
        let arena = &mut self.builder.arena;
        let var = arena.variable(format!("$u{}", self.fresh), self.symbols.obj);
        (var, arena.var_term(var))
    }

    /// Whether a formula follows from the facts; no, if that is not known.
    fn is_valid(&mut self, formula: FormulaId) -> bool {
        let mut solver = (self.builder.solver)();
        let arena = &mut self.builder.arena;
        // What quantifiers outside bind is arbitrary here.
        let free = arena.free_vars(formula).to_vec();
        let closed = arena.forall(&free, formula);
        let opposite = arena.not(closed);
        let mut context = Context { vocabulary: &self.logic, arena };
        let all = self.facts.iter().copied().chain([opposite]);
        for fact in all {
            if solver.assert(&mut context, fact).is_err() {
                return false;
            }
        }
        let limits = Limits::of(&self.builder.budget);
        matches!(solver.check(&mut context, &[], &limits), Answer::Unsat)
    }

    /// A part that no universal quantifier is around.
    fn outside(&mut self, id: FormulaId) -> Result<FormulaId, String> {
        match self.builder.arena.formula(id).clone() {
            Formula::And(parts) => {
                let parts: Vec<FormulaId> =
                    parts.iter().map(|&p| self.outside(p)).collect::<Result<_, _>>()?;
                Ok(self.builder.arena.and(parts))
            }
            Formula::Or(parts) => {
                let parts: Vec<FormulaId> =
                    parts.iter().map(|&p| self.outside(p)).collect::<Result<_, _>>()?;
                Ok(self.builder.arena.or(parts))
            }
            Formula::Quant(Quantifier::Exists, vars, body) => {
                let body = self.outside(body)?;
                Ok(self.builder.arena.exists(&vars, body))
            }
            Formula::Quant(Quantifier::Forall, vars, body) => self.block(vars.to_vec(), body),
            _ => Ok(self.spelled_out(id)),
        }
    }

    /// A universal quantifier with all that is in it.
    fn block(&mut self, mut vars: Vec<VarId>, body: FormulaId) -> Result<FormulaId, String> {
        // A witness may be one only for what is said of all others, so universal quantifiers with
        // nothing existential in them stay where they are until witnesses are found.
        let matrix = self.hoist(body, &mut vars, Hoist::AroundExistentials);
        let matrix = self.without_existentials(matrix, &vars)?;
        let matrix = self.hoist(matrix, &mut vars, Hoist::All);
        if !self.has_steps(matrix) {
            return Ok(self.builder.arena.forall(&vars, matrix));
        }
        let Some(clauses) = clauses::of(&self.builder.arena, matrix, MOST_CLAUSES) else {
            return self.give_up("a formula of too many cases");
        };
        let mut out = Vec::new();
        for clause in clauses {
            out.push(match self.lifted(clause, vars.clone()) {
                Some(clause) => clause,
                None => self.give_up("a property of single steps that is none of all paths")?,
            });
        }
        Ok(self.builder.arena.and(out))
    }

    fn give_up(&mut self, why: &str) -> Result<FormulaId, String> {
        self.left_out = true;
        match self.leave {
            Leave::Out => Ok(FormulaId::TRUE),
            Leave::Refuse => Err(why.to_owned()),
        }
    }

    /// The matrix without universal quantifiers in it; their variables, renamed, come to the
    /// others.
    fn hoist(&mut self, id: FormulaId, vars: &mut Vec<VarId>, which: Hoist) -> FormulaId {
        match self.builder.arena.formula(id).clone() {
            Formula::And(parts) => {
                let parts: Vec<FormulaId> =
                    parts.iter().map(|&p| self.hoist(p, vars, which)).collect();
                self.builder.arena.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<FormulaId> =
                    parts.iter().map(|&p| self.hoist(p, vars, which)).collect();
                self.builder.arena.or(parts)
            }
            Formula::Quant(Quantifier::Forall, bound, body)
                if which == Hoist::All || self.has_existentials(body) =>
            {
                let mut renaming = Subst::new();
                for var in bound {
                    let (new, term) = self.variable();
                    renaming.insert(var, term);
                    vars.push(new);
                }
                let body = self.builder.arena.subst(body, &renaming);
                self.hoist(body, vars, which)
            }
            _ => id,
        }
    }

    /// The matrix with a witness for every existential quantifier in it.
    fn without_existentials(
        &mut self,
        mut matrix: FormulaId,
        vars: &[VarId],
    ) -> Result<FormulaId, String> {
        while let Some(some) = self.existential(matrix) {
            let found = self.instance(matrix, some, vars);
            matrix = match found {
                Some(simpler) => simpler,
                None => {
                    let known = self.give_up("something that exists for each object")?;
                    self.replaced(matrix, some, known)
                }
            };
        }
        Ok(matrix)
    }

    /// The first existential quantifier in a matrix.
    fn existential(&self, id: FormulaId) -> Option<FormulaId> {
        match self.builder.arena.formula(id) {
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().find_map(|&p| self.existential(p))
            }
            Formula::Quant(Quantifier::Exists, ..) => Some(id),
            _ => None,
        }
    }

    fn has_existentials(&self, id: FormulaId) -> bool {
        match self.builder.arena.formula(id) {
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().any(|&p| self.has_existentials(p))
            }
            Formula::Quant(Quantifier::Exists, ..) => true,
            Formula::Quant(Quantifier::Forall, _, body) => self.has_existentials(*body),
            _ => false,
        }
    }

    fn replaced(&mut self, id: FormulaId, what: FormulaId, by: FormulaId) -> FormulaId {
        if id == what {
            return by;
        }
        match self.builder.arena.formula(id).clone() {
            Formula::And(parts) => {
                let parts: Vec<FormulaId> =
                    parts.iter().map(|&p| self.replaced(p, what, by)).collect();
                self.builder.arena.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<FormulaId> =
                    parts.iter().map(|&p| self.replaced(p, what, by)).collect();
                self.builder.arena.or(parts)
            }
            _ => id,
        }
    }

    /// The matrix with an instance of an existential quantifier in its place, if that says the
    /// same: from the instance the quantifier follows, and the other way round the matrix must say
    /// so.
    fn instance(
        &mut self,
        matrix: FormulaId,
        some: FormulaId,
        vars: &[VarId],
    ) -> Option<FormulaId> {
        let Formula::Quant(Quantifier::Exists, bound, body) = self.builder.arena.formula(some)
        else {
            return None;
        };
        let (bound, body) = (bound.clone(), *body);
        let mut candidates = vec![FormulaId::FALSE];
        if let [var] = bound[..] {
            let mut terms: Vec<TermId> =
                vars.iter().map(|v| self.builder.arena.var_term(*v)).collect();
            let used = self.builder.arena.symbols_in_use(matrix).funs;
            let constant = |f: &&trellis_logic::FunId| self.logic.fun(**f).args.is_empty();
            terms.extend(used.iter().filter(constant).map(|f| self.builder.arena.constant(*f)));
            let sort = self.builder.arena.var(var).sort;
            for term in terms {
                if self.builder.arena.sort_of(&self.logic, term) == sort {
                    candidates.push(self.builder.arena.subst(body, &Subst::single(var, term)));
                }
            }
        }
        candidates.into_iter().find_map(|candidate| {
            let simpler = self.replaced(matrix, some, candidate);
            let arena = &mut self.builder.arena;
            let same = arena.implies(matrix, simpler);
            let same = arena.forall(vars, same);
            self.is_valid(same).then_some(simpler)
        })
    }

    fn has_steps(&self, id: FormulaId) -> bool {
        let used = self.builder.arena.symbols_in_use(id).rels;
        self.steps.keys().any(|step| used.contains(step))
    }

    /// A formula with what steps mean in their place.
    fn spelled_out(&mut self, id: FormulaId) -> FormulaId {
        let used = self.builder.arena.symbols_in_use(id).rels;
        let mut meanings = Definitions::new();
        for (step, at) in self.steps.clone().into_iter().filter(|(s, _)| used.contains(s)) {
            let ((x, xt), (y, yt)) = (self.variable(), self.variable());
            let meaning = self.heap().successor(at, xt, yt);
            meanings.define_rel(step, &[x, y], meaning);
        }
        self.builder.arena.expand(id, &meanings)
    }
}
