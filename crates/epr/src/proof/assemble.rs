//! From what the solver used to what a proof is made of.
//!
//! **Invariant**: terms are numbered as in the solver, with further ones behind them, until a proof
//! is assembled, which gets only those that it uses.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rustsat::types::Lit;
use trellis_logic::{FunId, SortId};
use trellis_proofcheck::{Atom, GroundTerm, Instance, Law, Proof, Source, Statement, Universal};

use super::log::Log;
use crate::ground::Grounding;
use crate::terms::Ground;

/// Instances and laws that together are unsatisfiable.
pub(super) struct Used {
    terms: Vec<GroundTerm>,
    instances: Vec<Instance>,
    laws: Vec<Law>,
}

impl Used {
    /// What was logged; `names` says which formula and which part of it the parts are.
    pub(super) fn new(
        log: &Log,
        ground: &Grounding,
        universal: &Universal,
        names: &[(usize, usize)],
    ) -> Used {
        let elements: HashMap<SortId, FunId> = universal.elements.iter().copied().collect();
        let mut terms: Vec<GroundTerm> = ground
            .terms
            .all()
            .map(|term| {
                let symbol = ground.terms.symbol(ground.terms.head(term));
                let fun = symbol.user.unwrap_or_else(|| elements[&symbol.result]);
                let args = ground.terms.args(term).iter().map(|a| a.index()).collect();
                GroundTerm { fun, args }
            })
            .collect();
        let mut any: HashMap<SortId, usize> = HashMap::new();
        let mut seen = HashSet::new();
        let mut instances = Vec::new();
        for (part, tuple) in log.instances() {
            let (formula, part) = names[part];
            let vars = &universal.parts[formula][part].vars;
            let number = |(&term, &var): (&Option<Ground>, _)| match term {
                Some(term) => term.index(),
                None => *any.entry(universal.arena.var(var).sort).or_insert_with_key(|sort| {
                    if let Some(term) = ground.terms.of_sort(*sort).first() {
                        return term.index();
                    }
                    terms.push(GroundTerm { fun: elements[sort], args: Vec::new() });
                    terms.len() - 1
                }),
            };
            let numbers: Vec<usize> = tuple.iter().zip(vars).map(number).collect();
            if seen.insert((formula, part, numbers.clone())) {
                instances.push(Instance { formula, part, terms: numbers });
            }
        }
        let laws = laws(log, ground);
        Used { terms, instances, laws }
    }

    /// Forgets everything but this.
    pub(super) fn keep(&mut self, sources: &BTreeSet<Source>) {
        let mut number = 0;
        self.instances.retain(|_| {
            number += 1;
            sources.contains(&Source::Instance(number - 1))
        });
        number = 0;
        self.laws.retain(|_| {
            number += 1;
            sources.contains(&Source::Law(number - 1))
        });
    }

    /// A proof that still lacks its steps.
    pub(super) fn assemble(&self, statement: &Statement) -> Proof {
        let mut table = Table { all: &self.terms, terms: Vec::new(), numbers: BTreeMap::new() };
        let instance = |instance: &Instance| Instance {
            terms: table.numbers(&instance.terms),
            ..instance.clone()
        };
        let instances = self.instances.iter().map(instance).collect();
        let atom = |atom: &Atom, table: &mut Table<'_>| match atom {
            Atom::Equal(a, b) => Atom::Equal(table.number(*a), table.number(*b)),
            Atom::Holds(rel, args) => Atom::Holds(*rel, table.numbers(args)),
        };
        let law = |law: &Law| {
            let literals = law.literals.iter().map(|(p, a)| (*p, atom(a, &mut table))).collect();
            Law { literals }
        };
        let laws = self.laws.iter().map(law).collect();
        let terms = table.terms;
        Proof { statement: statement.clone(), terms, instances, laws, steps: Vec::new() }
    }
}

/// The terms of a proof, in the order of their first use.
struct Table<'a> {
    all: &'a [GroundTerm],
    terms: Vec<GroundTerm>,
    numbers: BTreeMap<usize, usize>,
}

impl Table<'_> {
    fn number(&mut self, term: usize) -> usize {
        if let Some(&number) = self.numbers.get(&term) {
            return number;
        }
        let GroundTerm { fun, args } = &self.all[term];
        let args = self.numbers(args);
        self.terms.push(GroundTerm { fun: *fun, args });
        self.numbers.insert(term, self.terms.len() - 1);
        self.terms.len() - 1
    }

    fn numbers(&mut self, terms: &[usize]) -> Vec<usize> {
        terms.iter().map(|&t| self.number(t)).collect()
    }
}

/// The laws that were logged.
fn laws(log: &Log, ground: &Grounding) -> Vec<Law> {
    let mut atoms: HashMap<usize, Atom> = HashMap::new();
    for &(a, b, lit) in ground.atoms.equalities() {
        atoms.insert(lit.vidx(), Atom::Equal(a.index(), b.index()));
    }
    for info in ground.atoms.relations().iter().map(|&p| ground.atoms.predicate(p)) {
        for (args, lit) in info.atoms() {
            if let Some(rel) = info.user {
                let args = args.iter().map(|a| a.index()).collect();
                atoms.insert(lit.vidx(), Atom::Holds(rel, args));
            }
        }
    }
    let literal = |lit: &Lit| (lit.is_pos(), atoms[&lit.vidx()].clone());
    log.laws.iter().map(|law| Law { literals: law.iter().map(literal).collect() }).collect()
}
