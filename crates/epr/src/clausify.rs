//! From formulas to clauses: negation normal form, witnesses and definitions in one walk.
//!
//! Negations move inwards as polarities. An existential quantifier becomes a witness: a constant,
//! or a function of the universal variables that its formula mentions. A disjunction of
//! conjunctions is multiplied out where that gives few clauses; otherwise an operand gets a name
//! `d(x, …)` with the clauses `d(x, …) ==> operand` (only this direction is needed, because names
//! occur positively; Plaisted and Greenbaum 1986).
//!
//! **Invariants**: the formula was admitted (see `admit`) and has no conditional terms. An operand
//! of a disjunction that has witnesses always gets a name, so that a model says whether they
//! matter.

use rustsat::types::Lit;
use smallvec::SmallVec;
use trellis_logic::{
    Arena, Formula, FormulaId, Quantifier, SortId, Term, TermId, VarId, Vocabulary,
};

use crate::clause::{Atom, Literal, OpenTerm};
use crate::ground::Grounding;
use crate::slots::Slots;
use crate::terms::{Args, Symbol};

/// Clauses of a conjunction; their variables are numbered by [`Clausify::vars`].
type Cnf = Vec<Vec<Literal>>;

/// Up to so many clauses a disjunction is multiplied out.
const PRODUCT: usize = 6;

/// Where the witnesses of constants come from.
pub(crate) enum Witnesses<'a> {
    /// New ones: for assertions.
    Fresh,
    /// Those that the query does not use yet: for assumptions.
    Slots(&'a mut Slots),
}

pub(crate) struct Clausify<'a> {
    arena: &'a Arena,
    vocabulary: &'a Vocabulary,
    ground: &'a mut Grounding,
    witnesses: Witnesses<'a>,
    /// The sorts of all universal variables met so far.
    vars: Vec<SortId>,
    /// What bound variables stand for, inner ones last.
    env: Vec<(VarId, OpenTerm)>,
    /// The symbols met so far, with repetitions.
    symbols: Vec<Symbol>,
    /// The witnesses made so far.
    made: Vec<Symbol>,
}

impl<'a> Clausify<'a> {
    pub(crate) fn new(
        arena: &'a Arena,
        vocabulary: &'a Vocabulary,
        ground: &'a mut Grounding,
        witnesses: Witnesses<'a>,
    ) -> Self {
        let (vars, env, symbols, made) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Clausify { arena, vocabulary, ground, witnesses, vars, env, symbols, made }
    }

    /// Adds the formula for good.
    pub(crate) fn assert(mut self, formula: FormulaId) {
        for clause in self.cnf(formula, true) {
            self.ground.add(clause, &self.vars);
        }
        for symbol in self.symbols {
            self.ground.terms.symbol_mut(symbol).permanent = true;
        }
    }

    /// Literals that imply the formula, and whose definitions are implied by it with suitable
    /// witnesses; `None` if the formula is false. Also the symbols that it mentions.
    pub(crate) fn assume(mut self, formula: FormulaId) -> (Option<Vec<Lit>>, Vec<Symbol>) {
        let mut lits = Vec::new();
        let possible = self.literals(formula, true, &mut lits);
        lits.sort_unstable();
        lits.dedup();
        self.symbols.sort_unstable();
        self.symbols.dedup();
        (possible.then_some(lits), self.symbols)
    }

    /// Collects literals for the conjuncts of a formula that has no universal variables in scope.
    fn literals(&mut self, id: FormulaId, positive: bool, out: &mut Vec<Lit>) -> bool {
        match self.arena.formula(id) {
            Formula::True | Formula::False => (id == FormulaId::TRUE) == positive,
            Formula::Not(a) => self.literals(*a, !positive, out),
            Formula::And(parts) if positive => parts.iter().all(|&p| self.literals(p, true, out)),
            Formula::Or(parts) if !positive => parts.iter().all(|&p| self.literals(p, false, out)),
            Formula::Implies(a, b) if !positive => {
                self.literals(*a, true, out) && self.literals(*b, false, out)
            }
            Formula::Quant(q, vars, body) if (*q == Quantifier::Exists) == positive => {
                let depth = self.env.len();
                self.bind_witnesses(id, vars);
                let possible = self.literals(*body, positive, out);
                self.env.truncate(depth);
                possible
            }
            _ => match self.conjunct(id, positive) {
                Ok(lit) => {
                    out.push(lit);
                    true
                }
                Err(truth) => truth,
            },
        }
    }

    /// One literal for a conjunct, or its truth value.
    fn conjunct(&mut self, id: FormulaId, positive: bool) -> Result<Lit, bool> {
        let operand = self.operand(id, positive);
        let literal = match &operand.cnf[..] {
            [] => return Err(true),
            [clause] if clause.is_empty() => return Err(false),
            [clause] if clause.len() == 1 && !clause[0].has_var() => clause[0].clone(),
            _ => self.define(operand),
        };
        self.ground.ground_literal(&literal)
    }

    fn cnf(&mut self, id: FormulaId, positive: bool) -> Cnf {
        match self.arena.formula(id) {
            Formula::True | Formula::False => truth((id == FormulaId::TRUE) == positive),
            Formula::Rel(rel, args) => {
                let predicate = self.ground.atoms.user(self.vocabulary, *rel);
                let args = args.iter().map(|&t| self.term(t)).collect();
                vec![vec![Literal { positive, atom: Atom::Rel(predicate, args) }]]
            }
            Formula::Eq(a, b) => match (self.term(*a), self.term(*b)) {
                (a, b) if a == b => truth(positive),
                (a, b) => vec![vec![Literal { positive, atom: Atom::Eq(a, b) }]],
            },
            Formula::Le(..) | Formula::Lt(..) => unreachable!("integers are not admitted"),
            Formula::Not(a) => self.cnf(*a, !positive),
            Formula::And(parts) | Formula::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|&p| (p, positive)).collect();
                match matches!(self.arena.formula(id), Formula::And(_)) == positive {
                    true => self.all(&parts),
                    false => self.any(&parts),
                }
            }
            Formula::Implies(a, b) if positive => self.any(&[(*a, false), (*b, true)]),
            Formula::Implies(a, b) => self.all(&[(*a, true), (*b, false)]),
            Formula::Iff(a, b) => {
                let mut cnf = self.any(&[(*a, false), (*b, positive)]);
                cnf.extend(self.any(&[(*a, true), (*b, !positive)]));
                cnf
            }
            Formula::Quant(q, vars, body) => {
                let depth = self.env.len();
                match (*q == Quantifier::Exists) == positive {
                    true => self.bind_witnesses(id, vars),
                    false => {
                        for &v in vars {
                            self.vars.push(self.arena.var(v).sort);
                            self.env.push((v, OpenTerm::Var(self.vars.len() as u32 - 1)));
                        }
                    }
                }
                let cnf = self.cnf(*body, positive);
                self.env.truncate(depth);
                cnf
            }
        }
    }

    fn all(&mut self, parts: &[(FormulaId, bool)]) -> Cnf {
        parts.iter().flat_map(|&(part, positive)| self.cnf(part, positive)).collect()
    }

    fn any(&mut self, parts: &[(FormulaId, bool)]) -> Cnf {
        let mut operands: Vec<Operand> = Vec::with_capacity(parts.len());
        for &(part, positive) in parts {
            let mut operand = self.operand(part, positive);
            match &operand.cnf[..] {
                [] => return Vec::new(),
                [clause] if clause.is_empty() => continue,
                _ => {}
            }
            if operand.has_witnesses {
                operand.cnf = vec![vec![self.define(operand.clone())]];
            }
            operands.push(operand);
        }
        let size =
            |all: &[Operand]| all.iter().fold(1, |n: usize, o| n.saturating_mul(o.cnf.len()));
        while size(&operands) > PRODUCT {
            let Some(largest) = operands.iter_mut().max_by_key(|o| o.cnf.len()) else {
                break;
            };
            largest.cnf = vec![vec![self.define(largest.clone())]];
        }
        operands.iter().fold(truth(false), |product, operand| multiply(&product, &operand.cnf))
    }

    /// The clauses of an operand; its name if it has one.
    fn operand(&mut self, id: FormulaId, positive: bool) -> Operand {
        if let Some((predicate, symbols)) = self.ground.named.get(&(id, positive)) {
            self.symbols.extend_from_slice(symbols);
            let atom = Atom::Rel(*predicate, SmallVec::new());
            let cnf = vec![vec![Literal { positive: true, atom }]];
            let of = (id, positive);
            return Operand { cnf, of, outer: 0, symbols: Vec::new(), has_witnesses: false };
        }
        let (outer, symbols, made) = (self.vars.len(), self.symbols.len(), self.made.len());
        let cnf = self.cnf(id, positive);
        let has_witnesses = self.made.len() > made;
        let symbols = self.symbols[symbols..].to_vec();
        Operand { cnf, of: (id, positive), outer, symbols, has_witnesses }
    }

    /// A literal that implies the operand.
    fn define(&mut self, mut operand: Operand) -> Literal {
        let mut vars: Vec<u32> = Vec::new();
        for literal in operand.cnf.iter().flatten() {
            literal.each_var(|v| {
                if (v as usize) < operand.outer && !vars.contains(&v) {
                    vars.push(v);
                }
            });
        }
        let sorts: Vec<SortId> = vars.iter().map(|&v| self.vars[v as usize]).collect();
        let predicate = self.ground.atoms.definition(&sorts);
        let atom = Atom::Rel(predicate, vars.iter().map(|&v| OpenTerm::Var(v)).collect());
        for mut clause in std::mem::take(&mut operand.cnf) {
            clause.insert(0, Literal { positive: false, atom: atom.clone() });
            self.ground.add(clause, &self.vars);
        }
        let name = Literal { positive: true, atom };
        let closed = self.arena.free_vars(operand.of.0).is_empty();
        if closed && !operand.has_witnesses {
            operand.symbols.sort_unstable();
            operand.symbols.dedup();
            self.ground.named.insert(operand.of, (predicate, operand.symbols.into()));
        } else if vars.is_empty()
            && let Ok(owner) = self.ground.ground_literal(&name)
            && matches!(self.witnesses, Witnesses::Fresh)
        {
            for symbol in operand.symbols {
                let symbol = self.ground.terms.symbol_mut(symbol);
                if symbol.user.is_none() && symbol.owner.is_none() {
                    symbol.owner = Some(owner);
                }
            }
        }
        name
    }

    /// Lets witnesses stand for existential variables.
    fn bind_witnesses(&mut self, exists: FormulaId, vars: &[VarId]) {
        let mut depends_on: Vec<u32> = Vec::new();
        for v in self.arena.free_vars(exists) {
            if let Some((_, term)) = self.env.iter().rev().find(|(w, _)| w == v) {
                term.each_var(&mut |x| depends_on.push(x));
            }
        }
        depends_on.sort_unstable();
        depends_on.dedup();
        for &var in vars {
            let sort = self.arena.var(var).sort;
            let symbol = match &mut self.witnesses {
                Witnesses::Slots(slots) if depends_on.is_empty() => {
                    slots.take(&mut self.ground.terms, sort)
                }
                Witnesses::Slots(_) | Witnesses::Fresh => self.ground.terms.witness(sort),
            };
            self.made.push(symbol);
            let args = depends_on.iter().map(|&v| OpenTerm::Var(v)).collect();
            let witness = self.app(symbol, args);
            self.env.push((var, witness));
        }
    }

    fn term(&mut self, id: TermId) -> OpenTerm {
        match self.arena.term(id) {
            Term::Var(v) => match self.env.iter().rev().find(|(w, _)| w == v) {
                Some((_, term)) => term.clone(),
                None => unreachable!("only closed formulas are admitted"),
            },
            Term::App(fun, args) => {
                let args = args.iter().map(|&a| self.term(a)).collect();
                let symbol = self.ground.terms.user(self.vocabulary, *fun);
                self.app(symbol, args)
            }
            Term::Num(_) | Term::Arith(..) => unreachable!("integers are not admitted"),
            Term::Ite(..) => unreachable!("conditional terms were removed"),
        }
    }

    fn app(&mut self, symbol: Symbol, args: Vec<OpenTerm>) -> OpenTerm {
        self.symbols.push(symbol);
        let mut ground = Args::new();
        for arg in &args {
            match arg {
                OpenTerm::Ground(term) => ground.push(*term),
                OpenTerm::Var(_) | OpenTerm::App(..) => return OpenTerm::App(symbol, args.into()),
            }
        }
        OpenTerm::Ground(self.ground.terms.app(symbol, &ground))
    }
}

/// An operand of a disjunction, or a conjunct of an assumption.
#[derive(Clone)]
struct Operand {
    cnf: Cnf,
    of: (FormulaId, bool),
    /// Variables from this number on are its own.
    outer: usize,
    symbols: Vec<Symbol>,
    has_witnesses: bool,
}

fn truth(value: bool) -> Cnf {
    if value { Vec::new() } else { vec![Vec::new()] }
}

fn multiply(left: &Cnf, right: &Cnf) -> Cnf {
    let join = |l: &Vec<Literal>, r: &Vec<Literal>| l.iter().chain(r).cloned().collect();
    left.iter().flat_map(|l| right.iter().map(move |r| join(l, r))).collect()
}
