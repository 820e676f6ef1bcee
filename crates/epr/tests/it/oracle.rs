//! Brute force: is there a model with universes of given sizes?
//!
//! Quantifiers are expanded over the elements, constants and functions are one-hot, and the rest is
//! left to a SAT solver. Nothing is shared with the solver under test but that SAT solver.

use std::collections::HashMap;

use rustsat::instances::{BasicVarManager, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::Lit;
use rustsat_batsat::BasicSolver;
use trellis_logic::{
    Arena, Formula, FormulaId, FunId, Quantifier, RelId, SortId, Term, TermId, VarId, Vocabulary,
};

/// Whether the formulas have a common model in which every sort has at most `size` elements.
pub fn has_model(
    arena: &Arena,
    vocabulary: &Vocabulary,
    formulas: &[FormulaId],
    size: usize,
) -> bool {
    let sorts = vocabulary.sorts().len();
    let mut sizes = vec![1; sorts];
    loop {
        if Finder::new(arena, vocabulary, &sizes).satisfiable(formulas) {
            return true;
        }
        let Some(next) = (1..sorts).find(|&s| sizes[s] < size) else {
            return false;
        };
        sizes[1..next].fill(1);
        sizes[next] += 1;
    }
}

struct Finder<'a> {
    arena: &'a Arena,
    vocabulary: &'a Vocabulary,
    sizes: &'a [usize],
    solver: BasicSolver,
    variables: BasicVarManager,
    yes: Lit,
    relations: HashMap<(RelId, Vec<usize>), Lit>,
    functions: HashMap<(FunId, Vec<usize>), Vec<Lit>>,
    env: Vec<(VarId, usize)>,
}

impl<'a> Finder<'a> {
    fn new(arena: &'a Arena, vocabulary: &'a Vocabulary, sizes: &'a [usize]) -> Self {
        let (mut solver, mut variables) = (BasicSolver::default(), BasicVarManager::default());
        let yes = variables.new_var().pos_lit();
        solver.add_unit(yes).unwrap();
        Finder {
            arena,
            vocabulary,
            sizes,
            solver,
            variables,
            yes,
            relations: HashMap::new(),
            functions: HashMap::new(),
            env: Vec::new(),
        }
    }

    fn satisfiable(&mut self, formulas: &[FormulaId]) -> bool {
        for &f in formulas {
            let lit = self.formula(f);
            self.solver.add_unit(lit).unwrap();
        }
        self.solver.solve_assumps(&[]).unwrap() == SolverResult::Sat
    }

    fn and(&mut self, lits: &[Lit]) -> Lit {
        if lits.contains(&!self.yes) {
            return !self.yes;
        }
        let lits: Vec<Lit> = lits.iter().copied().filter(|&l| l != self.yes).collect();
        match lits[..] {
            [] => self.yes,
            [only] => only,
            _ => {
                let all = self.variables.new_var().pos_lit();
                let mut back = vec![all];
                for &l in &lits {
                    self.solver.add_binary(!all, l).unwrap();
                    back.push(!l);
                }
                self.solver.add_clause(back.as_slice().into()).unwrap();
                all
            }
        }
    }

    fn or(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&l| !l).collect();
        !self.and(&negated)
    }

    fn size(&self, sort: SortId) -> usize {
        self.sizes[sort.index()]
    }

    fn formula(&mut self, id: FormulaId) -> Lit {
        let arena = self.arena;
        match arena.formula(id) {
            Formula::True => self.yes,
            Formula::False => !self.yes,
            Formula::Rel(rel, args) => {
                let sorts = &self.vocabulary.rel(*rel).args;
                let cases = self.tuples(args, sorts.len());
                let mut holds = Vec::new();
                for (tuple, here) in cases {
                    let variables = &mut self.variables;
                    let atom = *self
                        .relations
                        .entry((*rel, tuple))
                        .or_insert_with(|| variables.new_var().pos_lit());
                    holds.push(self.and(&[here, atom]));
                }
                self.or(&holds)
            }
            Formula::Eq(a, b) => {
                let (a, b) = (self.term(*a), self.term(*b));
                let both: Vec<Lit> = a.into_iter().zip(b).map(|(a, b)| self.and(&[a, b])).collect();
                self.or(&both)
            }
            Formula::Le(..) | Formula::Lt(..) => panic!("no integers here"),
            Formula::Not(a) => !self.formula(*a),
            Formula::And(parts) => {
                let parts: Vec<Lit> = parts.iter().map(|&p| self.formula(p)).collect();
                self.and(&parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<Lit> = parts.iter().map(|&p| self.formula(p)).collect();
                self.or(&parts)
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                self.or(&[!a, b])
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                let (both, neither) = (self.and(&[a, b]), self.and(&[!a, !b]));
                self.or(&[both, neither])
            }
            Formula::Quant(q, vars, body) => {
                let mut cases = Vec::new();
                self.instances(vars, *body, &mut cases);
                match q {
                    Quantifier::Forall => self.and(&cases),
                    Quantifier::Exists => self.or(&cases),
                }
            }
        }
    }

    fn instances(&mut self, vars: &[VarId], body: FormulaId, cases: &mut Vec<Lit>) {
        let Some((&var, rest)) = vars.split_first() else {
            cases.push(self.formula(body));
            return;
        };
        for x in 0..self.size(self.arena.var(var).sort) {
            self.env.push((var, x));
            self.instances(rest, body, cases);
            self.env.pop();
        }
    }

    /// All tuples of values of the arguments, each with when it is the one.
    fn tuples(&mut self, args: &[TermId], arity: usize) -> Vec<(Vec<usize>, Lit)> {
        assert_eq!(args.len(), arity);
        let mut cases = vec![(Vec::new(), self.yes)];
        for &arg in args {
            let values = self.term(arg);
            let mut longer = Vec::new();
            for (tuple, here) in cases {
                for (x, &is) in values.iter().enumerate() {
                    let both = self.and(&[here, is]);
                    if both != !self.yes {
                        let mut tuple = tuple.clone();
                        tuple.push(x);
                        longer.push((tuple, both));
                    }
                }
            }
            cases = longer;
        }
        cases
    }

    /// For every element: when it is the value of the term.
    fn term(&mut self, id: TermId) -> Vec<Lit> {
        let arena = self.arena;
        match arena.term(id) {
            Term::Var(v) => {
                let (_, x) = *self.env.iter().rev().find(|(w, _)| w == v).unwrap();
                let size = self.size(arena.var(*v).sort);
                (0..size).map(|y| if x == y { self.yes } else { !self.yes }).collect()
            }
            Term::App(fun, args) => {
                let (arity, result) =
                    (self.vocabulary.fun(*fun).args.len(), self.vocabulary.fun(*fun).result);
                let mut cases: Vec<Vec<Lit>> = vec![Vec::new(); self.size(result)];
                for (tuple, here) in self.tuples(args, arity) {
                    for (x, value) in self.value(*fun, tuple, result).into_iter().enumerate() {
                        let case = self.and(&[here, value]);
                        cases[x].push(case);
                    }
                }
                cases.iter().map(|c| self.or(c)).collect()
            }
            Term::Ite(c, a, b) => {
                let c = self.formula(*c);
                let (a, b) = (self.term(*a), self.term(*b));
                let mut either = Vec::new();
                for (a, b) in a.into_iter().zip(b) {
                    let (yes, no) = (self.and(&[c, a]), self.and(&[!c, b]));
                    either.push(self.or(&[yes, no]));
                }
                either
            }
            Term::Num(_) | Term::Arith(..) => panic!("no integers here"),
        }
    }

    fn value(&mut self, fun: FunId, tuple: Vec<usize>, result: SortId) -> Vec<Lit> {
        if let Some(known) = self.functions.get(&(fun, tuple.clone())) {
            return known.clone();
        }
        let size = self.size(result);
        let value: Vec<Lit> = (0..size).map(|_| self.variables.new_var().pos_lit()).collect();
        self.solver.add_clause(value.as_slice().into()).unwrap();
        for (i, &a) in value.iter().enumerate() {
            for &b in &value[..i] {
                self.solver.add_binary(!a, !b).unwrap();
            }
        }
        self.functions.insert((fun, tuple), value.clone());
        value
    }
}
