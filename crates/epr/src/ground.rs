//! Everything that is known in ground form: terms, atoms, the clauses given to the SAT solver, and
//! the clauses with variables that are instantiated as models demand it.
//!
//! **Invariants**: a definition's clauses are registered before its first atom gets a variable, and
//! after [`Grounding::flush`] every atom of a definition has its meaning, except for clauses with
//! further variables, which are searched like any other.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;
use smallvec::SmallVec;
use trellis_logic::{FormulaId, RelId, SortId};

use crate::atoms::{Atoms, Predicate};
use crate::clause::{Atom, Clause, Literal, OpenTerm};
use crate::proof::log::{Log, Origin};
use crate::sat::Sat;
use crate::terms::{Args, Ground, Symbol, Terms};
use crate::violations::{Vars, blame};

/// A clause with variables.
pub(crate) struct Template {
    pub(crate) vars: SmallVec<[SortId; 3]>,
    /// Its literals without variables; it is of no interest while one of them holds.
    pub(crate) guard: SmallVec<[Lit; 2]>,
    /// Its literals with variables, by the last variable they need.
    pub(crate) open: Vec<Literal>,
    /// Where in `open` the literals of each variable end.
    pub(crate) ends: SmallVec<[usize; 3]>,
    /// For every variable those before it on which the literals depend that wait for it.
    pub(crate) blame: SmallVec<[Vars; 3]>,
    /// Where it comes from, if that is logged.
    origin: Origin,
}

/// A name for a closed subformula, and the symbols of that subformula.
pub(crate) type Named = (Predicate, Box<[Symbol]>);

pub(crate) struct Grounding {
    pub(crate) sat: Sat,
    pub(crate) terms: Terms,
    pub(crate) atoms: Atoms,
    pub(crate) templates: Vec<Template>,
    /// Closed subformulas without witnesses, positive or negated.
    pub(crate) named: FxHashMap<(FormulaId, bool), Named>,
    /// Clauses of a definition that have no variables but its arguments.
    meanings: FxHashMap<Predicate, Vec<Clause>>,
    /// Relations without arguments that are false; a clause says so once they are mentioned.
    pub(crate) denied: FxHashSet<RelId>,
    /// What a proof will need; only kept if there is to be one.
    pub(crate) log: Option<Box<Log>>,
    /// What was instantiated; no instance is ever needed twice.
    #[cfg(debug_assertions)]
    instances: FxHashSet<(usize, Args)>,
}

/// A ground literal.
enum Truth {
    Always,
    Never,
    Lit(Lit),
}

impl Grounding {
    pub(crate) fn new(seed: u64) -> Self {
        Grounding {
            sat: Sat::new(seed),
            terms: Terms::default(),
            atoms: Atoms::default(),
            templates: Vec::new(),
            named: FxHashMap::default(),
            meanings: FxHashMap::default(),
            denied: FxHashSet::default(),
            log: None,
            #[cfg(debug_assertions)]
            instances: FxHashSet::default(),
        }
    }

    /// Adds a clause whose variables have the sorts `vars`.
    pub(crate) fn add(&mut self, literals: Vec<Literal>, vars: &[SortId]) {
        let atoms = &self.atoms;
        let mut images = self.log.as_ref().map(|_| Log::images(vars)).unwrap_or_default();
        let Some(clause) = Clause::normal(literals, vars, |p| atoms.is_definition(p), &mut images)
        else {
            return;
        };
        let origin = self.log.as_mut().map_or(Origin::default(), |log| log.clause(images));
        if clause.vars.is_empty() {
            if let Some(log) = &mut self.log {
                log.instance(origin, &[]);
            }
            self.add_instance(&clause.literals, &[]);
        } else if let Some(predicate) = self.defined_by(&clause) {
            self.meanings.entry(predicate).or_default().push(clause);
        } else {
            self.add_template(clause, origin);
        }
    }

    /// The definition that the clause is part of, if it has no variables but its arguments.
    fn defined_by(&self, clause: &Clause) -> Option<Predicate> {
        let Literal { positive: false, atom: Atom::Rel(predicate, args) } =
            clause.literals.first()?
        else {
            return None;
        };
        (self.atoms.is_definition(*predicate) && args.len() == clause.vars.len())
            .then_some(*predicate)
    }

    fn add_template(&mut self, clause: Clause, origin: Origin) {
        let (mut guard, mut open) = (SmallVec::new(), Vec::new());
        for literal in clause.literals {
            if literal.has_var() {
                open.push(literal);
                continue;
            }
            match self.ground(&literal, &[]) {
                Truth::Always => return,
                Truth::Never => {}
                Truth::Lit(lit) => guard.push(lit),
            }
        }
        let last = |literal: &Literal| {
            let mut last = 0;
            literal.each_var(|v| last = last.max(v as usize));
            last
        };
        open.sort_by_key(last);
        let count = |var| open.iter().filter(|l| last(l) <= var).count();
        let ends: SmallVec<[usize; 3]> = (0..clause.vars.len()).map(count).collect();
        let blame = blame(&open, &ends);
        self.templates.push(Template {
            vars: clause.vars.into(),
            guard,
            open,
            ends,
            blame,
            origin,
        });
    }

    /// Adds the instance of a template for a tuple of terms.
    pub(crate) fn instantiate(&mut self, template: usize, tuple: &[Ground]) {
        #[cfg(debug_assertions)]
        assert!(self.instances.insert((template, tuple.into())), "an instance was violated");
        if let Some(log) = &mut self.log {
            log.instance(self.templates[template].origin, tuple);
        }
        let open = std::mem::take(&mut self.templates[template].open);
        let guard = self.templates[template].guard.clone();
        self.add_ground(guard, &open, tuple);
        self.templates[template].open = open;
    }

    fn add_instance(&mut self, literals: &[Literal], tuple: &[Ground]) {
        self.add_ground(SmallVec::new(), literals, tuple);
    }

    fn add_ground(&mut self, mut lits: SmallVec<[Lit; 2]>, literals: &[Literal], tuple: &[Ground]) {
        for literal in literals {
            match self.ground(literal, tuple) {
                Truth::Always => return,
                Truth::Never => {}
                Truth::Lit(lit) => lits.push(lit),
            }
        }
        self.sat.add(&lits);
    }

    fn ground(&mut self, literal: &Literal, tuple: &[Ground]) -> Truth {
        let lit = match &literal.atom {
            Atom::Rel(predicate, args) => {
                let args: Args = args.iter().map(|a| self.ground_term(a, tuple)).collect();
                self.atoms.rel(&mut self.sat, *predicate, &args)
            }
            Atom::Eq(a, b) => match (self.ground_term(a, tuple), self.ground_term(b, tuple)) {
                (a, b) if a == b => {
                    return if literal.positive { Truth::Always } else { Truth::Never };
                }
                (a, b) => self.atoms.eq(&mut self.sat, a, b),
            },
        };
        Truth::Lit(if literal.positive { lit } else { !lit })
    }

    fn ground_term(&mut self, term: &OpenTerm, tuple: &[Ground]) -> Ground {
        match term {
            OpenTerm::Var(v) => tuple[*v as usize],
            OpenTerm::Ground(term) => *term,
            OpenTerm::App(symbol, args) => {
                let args: Args = args.iter().map(|a| self.ground_term(a, tuple)).collect();
                self.terms.app(*symbol, &args)
            }
        }
    }

    /// The SAT literal of a literal without variables, or its truth value.
    pub(crate) fn ground_literal(&mut self, literal: &Literal) -> Result<Lit, bool> {
        match self.ground(literal, &[]) {
            Truth::Always => Err(true),
            Truth::Never => Err(false),
            Truth::Lit(lit) => Ok(lit),
        }
    }

    /// Gives new atoms of definitions their meaning, and denies what is denied.
    pub(crate) fn flush(&mut self) {
        while let Some((predicate, args)) = self.atoms.undefined.pop() {
            let Some(clauses) = self.meanings.remove(&predicate) else {
                continue;
            };
            for clause in &clauses {
                self.add_instance(&clause.literals, &args);
            }
            self.meanings.insert(predicate, clauses);
        }
        for (rel, lit) in std::mem::take(&mut self.atoms.new_propositions) {
            if self.denied.contains(&rel) {
                self.sat.add(&[!lit]);
            }
        }
    }

    /// Forgets templates that can never be violated again, because a guard holds for good.
    pub(crate) fn drop_idle_templates(&mut self) {
        let sat = &self.sat;
        for template in &mut self.templates {
            if template.guard.iter().any(|&l| sat.fixed(l) == Some(true)) {
                template.open = Vec::new();
            }
        }
    }
}
