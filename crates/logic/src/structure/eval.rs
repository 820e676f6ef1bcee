//! Truth of a formula in a structure; quantifiers by trying all elements, as far as the others leave
//! a choice (`matching`).
//!
//! Where a formula meets an undefined field its value is undefined, unless the rest decides it:
//! `x != NULL && x->next == y` is false if x is null. The order of operands does not matter
//! (strong Kleene connectives), so normal forms keep definedness as well as truth.

mod matching;

use std::fmt;

pub use matching::Plans;

use crate::arena::{Arena, Formula, Quantifier, Term};
use crate::bits::BitSet;
use crate::ids::{FormulaId, RelId, SortId, TermId, VarId};
use crate::structure::{Structure, Value};

/// Why a formula has no truth value in a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// This term is undefined, such as a field of null.
    Undefined(TermId),
    /// This variable is free and has no value.
    Unassigned(VarId),
    /// A quantifier ranges over all integers.
    IntegerQuantifier(FormulaId),
    /// This term is too large an integer.
    Overflow(TermId),
    /// This term does not have the sort its place requires.
    IllSorted(TermId),
    /// Whoever asked wants no answer any more.
    Stopped,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EvalError::Undefined(_) => "a term is undefined",
            EvalError::Unassigned(_) => "a free variable has no value",
            EvalError::IntegerQuantifier(_) => "a quantifier ranges over all integers",
            EvalError::Overflow(_) => "an integer is too large",
            EvalError::IllSorted(_) => "a term has the wrong sort",
            EvalError::Stopped => "there was no time to find out",
        })
    }
}

impl std::error::Error for EvalError {}

impl Structure {
    /// Whether a closed formula holds.
    pub fn eval(&self, arena: &Arena, formula: FormulaId) -> Result<bool, EvalError> {
        Evaluator::new(self, arena).formula(formula)
    }

    /// Whether a closed formula holds, unless `stop` says that nobody wants to know any more:
    /// quantifiers can take long.
    pub fn eval_until(
        &self,
        arena: &Arena,
        formula: FormulaId,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, EvalError> {
        self.eval_planned(arena, formula, &Plans::default(), stop)
    }

    /// The same for one of many formulas that are evaluated again and again: how to go about each is
    /// found out once.
    pub fn eval_planned(
        &self,
        arena: &Arena,
        formula: FormulaId,
        plans: &Plans,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, EvalError> {
        let mut evaluator = Evaluator::new(self, arena);
        evaluator.known = Some(plans);
        evaluator.stop = Some(stop);
        evaluator.formula(formula)
    }

    /// Whether a formula holds under an assignment to its free variables.
    pub fn eval_with(
        &self,
        arena: &Arena,
        formula: FormulaId,
        assignment: &[(VarId, Value)],
    ) -> Result<bool, EvalError> {
        Evaluator::with(self, arena, assignment).formula(formula)
    }

    /// The value of a term under an assignment to its free variables.
    pub fn eval_term(
        &self,
        arena: &Arena,
        term: TermId,
        assignment: &[(VarId, Value)],
    ) -> Result<Value, EvalError> {
        Evaluator::with(self, arena, assignment).term(term)
    }
}

/// Evaluates formulas in one structure; closures are computed at most once.
pub struct Evaluator<'a> {
    structure: &'a Structure,
    arena: &'a Arena,
    /// Few, and most evaluators need none.
    derived: Vec<(RelId, BitSet)>,
    /// Variables with their values; the last entry of a variable counts.
    env: Vec<(VarId, Value)>,
    /// How to go about quantifiers, if nobody else knows.
    plans: Plans,
    /// Somebody who does.
    known: Option<&'a Plans>,
    /// Whether to stop, asked from time to time.
    stop: Option<&'a dyn Fn() -> bool>,
    /// How many values variables have got.
    ticks: u32,
    stopped: bool,
}

/// How many values variables get before somebody looks at the clock.
const TICKS: u32 = 1024;

impl<'a> Evaluator<'a> {
    /// An evaluator for closed formulas.
    pub fn new(structure: &'a Structure, arena: &'a Arena) -> Self {
        Self::with(structure, arena, &[])
    }

    /// An evaluator for formulas whose free variables have values.
    pub fn with(structure: &'a Structure, arena: &'a Arena, assignment: &[(VarId, Value)]) -> Self {
        Evaluator {
            structure,
            arena,
            derived: Vec::new(),
            env: assignment.to_vec(),
            plans: Plans::default(),
            known: None,
            stop: None,
            ticks: 0,
            stopped: false,
        }
    }

    /// A variable gets a value.
    fn tick(&mut self) -> Result<(), EvalError> {
        self.ticks = self.ticks.wrapping_add(1);
        if !self.stopped && self.ticks.is_multiple_of(TICKS) {
            self.stopped = self.stop.is_some_and(|stop| stop());
        }
        if self.stopped { Err(EvalError::Stopped) } else { Ok(()) }
    }

    /// The value of a term.
    pub fn term(&mut self, id: TermId) -> Result<Value, EvalError> {
        match self.arena.term(id) {
            Term::Var(v) => match self.env.iter().rev().find(|(w, _)| w == v) {
                Some(&(_, value)) => Ok(value),
                None => Err(EvalError::Unassigned(*v)),
            },
            Term::Num(n) => Ok(Value::Int(*n)),
            Term::App(fun, args) => {
                let sorts = &self.structure.vocabulary.fun(*fun).args;
                let index = self.tuple(id, sorts, args)?;
                self.structure.fun_at(*fun, index).ok_or(EvalError::Undefined(id))
            }
            Term::Arith(op, a, b) => {
                let (x, y) = (self.integer(*a)?, self.integer(*b)?);
                op.apply(x, y).map(Value::Int).ok_or(EvalError::Overflow(id))
            }
            Term::Ite(c, a, b) => {
                let branch = if self.formula(*c)? { *a } else { *b };
                self.term(branch)
            }
        }
    }

    /// The number of a tuple of argument values.
    fn tuple(&mut self, at: TermId, sorts: &[SortId], args: &[TermId]) -> Result<usize, EvalError> {
        if sorts.len() != args.len() {
            return Err(EvalError::IllSorted(at));
        }
        let mut index = 0;
        for (&sort, &arg) in sorts.iter().zip(args) {
            let size = self.structure.size(sort);
            match self.term(arg)? {
                Value::Elem(x) if x < size => index = index * size as usize + x as usize,
                Value::Elem(_) | Value::Int(_) => return Err(EvalError::IllSorted(arg)),
            }
        }
        Ok(index)
    }

    fn integer(&mut self, id: TermId) -> Result<i128, EvalError> {
        match self.term(id)? {
            Value::Int(n) => Ok(n),
            Value::Elem(_) => Err(EvalError::IllSorted(id)),
        }
    }

    fn holds(&mut self, rel: RelId, args: &[TermId]) -> Result<bool, EvalError> {
        let structure = self.structure;
        let sorts = &structure.vocabulary.rel(rel).args;
        let index = match args.first() {
            Some(&first) => self.tuple(first, sorts, args)?,
            None => 0,
        };
        let table = match &structure.rels[rel.index()] {
            Some(table) => table,
            None => self.derived(rel),
        };
        Ok(table.contains(index))
    }

    /// A closure that follows its field.
    fn derived(&mut self, rel: RelId) -> &BitSet {
        let at = self.derived.iter().position(|(r, _)| *r == rel).unwrap_or_else(|| {
            self.derived.push((rel, self.structure.rel_table(rel).into_owned()));
            self.derived.len() - 1
        });
        &self.derived[at].1
    }

    /// The truth of a formula.
    pub fn formula(&mut self, id: FormulaId) -> Result<bool, EvalError> {
        let arena = self.arena;
        match arena.formula(id) {
            Formula::True => Ok(true),
            Formula::False => Ok(false),
            Formula::Rel(rel, args) => self.holds(*rel, args),
            Formula::Eq(a, b) => Ok(self.term(*a)? == self.term(*b)?),
            Formula::Le(a, b) => Ok(self.integer(*a)? <= self.integer(*b)?),
            Formula::Lt(a, b) => Ok(self.integer(*a)? < self.integer(*b)?),
            Formula::Not(a) => Ok(!self.formula(*a)?),
            Formula::And(parts) => self.decided_by(false, parts),
            Formula::Or(parts) => self.decided_by(true, parts),
            Formula::Implies(a, b) => match (self.formula(*a), self.formula(*b)) {
                (Ok(false), _) | (_, Ok(true)) => Ok(true),
                (Err(error), _) | (_, Err(error)) => Err(error),
                (Ok(true), Ok(false)) => Ok(false),
            },
            Formula::Iff(a, b) => Ok(self.formula(*a)? == self.formula(*b)?),
            Formula::Quant(q, vars, body) => {
                let plans = self.known.unwrap_or(&self.plans);
                match plans.of(arena, id, *q, vars, *body) {
                    Some(plan) => self.by_plan(&plan),
                    None => self.over_all(id, *q == Quantifier::Exists, vars, *body),
                }
            }
        }
    }

    /// `decisive` if any operand is, else undefined if any is, else the opposite.
    fn decided_by(&mut self, decisive: bool, parts: &[FormulaId]) -> Result<bool, EvalError> {
        let mut result = Ok(!decisive);
        for &part in parts {
            match self.formula(part) {
                Ok(value) if value == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(error) => result = result.and(Err(error)),
            }
        }
        result
    }

    fn over_all(
        &mut self,
        id: FormulaId,
        decisive: bool,
        vars: &[VarId],
        body: FormulaId,
    ) -> Result<bool, EvalError> {
        let Some((&var, rest)) = vars.split_first() else {
            return self.formula(body);
        };
        let sort = self.arena.var(var).sort;
        if sort == SortId::INT {
            return Err(EvalError::IntegerQuantifier(id));
        }
        let mut result = Ok(!decisive);
        for x in 0..self.structure.size(sort) {
            self.tick()?;
            self.env.push((var, Value::Elem(x)));
            let value = self.over_all(id, decisive, rest, body);
            self.env.pop();
            match value {
                Ok(value) if value == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(error) => result = result.and(Err(error)),
            }
        }
        result
    }
}
