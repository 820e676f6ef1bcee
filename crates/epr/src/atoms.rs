//! Ground atoms and their SAT variables.
//!
//! A predicate is a relation of the user, or the name of a subformula (a *definition*, with the
//! subformula's free variables as arguments). An atom gets a SAT variable when the first clause
//! mentions it; an atom without one is false, so that models are sparse.
//!
//! **Invariant**: one variable for each atom; equalities are kept with the smaller term first and
//! tried as true, all other atoms as false.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use smallvec::SmallVec;
use trellis_logic::{RelId, SortId, Vocabulary};

use crate::sat::Sat;
use crate::terms::{Args, Ground};

/// A relation, or the name of a subformula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Predicate(pub(crate) u32);

pub(crate) struct PredicateInfo {
    pub(crate) user: Option<RelId>,
    pub(crate) args: SmallVec<[SortId; 3]>,
    /// The atoms that have a variable; the arguments of all of them one after the other.
    tuples: Vec<Ground>,
    lits: Vec<Lit>,
}

impl PredicateInfo {
    /// The atoms that have a variable, with their arguments.
    pub(crate) fn atoms(&self) -> impl Iterator<Item = (&[Ground], Lit)> {
        let arity = self.args.len();
        self.lits.iter().enumerate().map(move |(i, &l)| (&self.tuples[i * arity..][..arity], l))
    }
}

#[derive(Default)]
pub(crate) struct Atoms {
    predicates: Vec<PredicateInfo>,
    of_user: Vec<Option<Predicate>>,
    /// The relations of the user that have arguments.
    relations: Vec<Predicate>,
    /// Those without; engines use thousands as guards.
    propositions: Vec<(RelId, Predicate)>,
    index: FxHashMap<(Predicate, Args), Lit>,
    equalities: Vec<(Ground, Ground, Lit)>,
    equality_index: FxHashMap<(Ground, Ground), Lit>,
    /// Relations without arguments that got a variable, and may have been denied before.
    pub(crate) new_propositions: Vec<(RelId, Lit)>,
    /// Atoms of definitions that got a variable and still need their meaning.
    pub(crate) undefined: Vec<(Predicate, Args)>,
}

impl Atoms {
    pub(crate) fn user(&mut self, vocabulary: &Vocabulary, rel: RelId) -> Predicate {
        if self.of_user.len() <= rel.index() {
            self.of_user.resize(rel.index() + 1, None);
        }
        if let Some(predicate) = self.of_user[rel.index()] {
            return predicate;
        }
        let args = &vocabulary.rel(rel).args;
        let predicate = self.declare(Some(rel), args);
        match args.is_empty() {
            true => self.propositions.push((rel, predicate)),
            false => self.relations.push(predicate),
        }
        self.of_user[rel.index()] = Some(predicate);
        predicate
    }

    /// The predicate of a relation of the user that occurred in some formula.
    pub(crate) fn find_user(&self, rel: RelId) -> Option<Predicate> {
        self.of_user.get(rel.index()).copied().flatten()
    }

    pub(crate) fn definition(&mut self, args: &[SortId]) -> Predicate {
        self.declare(None, args)
    }

    fn declare(&mut self, user: Option<RelId>, args: &[SortId]) -> Predicate {
        let (args, tuples, lits) = (args.into(), Vec::new(), Vec::new());
        self.predicates.push(PredicateInfo { user, args, tuples, lits });
        Predicate(self.predicates.len() as u32 - 1)
    }

    pub(crate) fn predicate(&self, predicate: Predicate) -> &PredicateInfo {
        &self.predicates[predicate.0 as usize]
    }

    pub(crate) fn is_definition(&self, predicate: Predicate) -> bool {
        self.predicate(predicate).user.is_none()
    }

    /// The relations of the user that have arguments.
    pub(crate) fn relations(&self) -> &[Predicate] {
        &self.relations
    }

    /// The relations of the user without arguments that have a variable.
    pub(crate) fn propositions(&self) -> impl Iterator<Item = (RelId, Lit)> {
        let lit = |p: Predicate| self.predicate(p).lits.first().copied();
        self.propositions.iter().filter_map(move |&(rel, p)| Some((rel, lit(p)?)))
    }

    pub(crate) fn rel(&mut self, sat: &mut Sat, predicate: Predicate, args: &[Ground]) -> Lit {
        let key = (predicate, Args::from_slice(args));
        if let Some(&lit) = self.index.get(&key) {
            return lit;
        }
        let lit = sat.variable(false);
        let info = &mut self.predicates[predicate.0 as usize];
        info.tuples.extend_from_slice(args);
        info.lits.push(lit);
        match info.user {
            None => self.undefined.push(key.clone()),
            Some(rel) if args.is_empty() => self.new_propositions.push((rel, lit)),
            Some(_) => {}
        }
        self.index.insert(key, lit);
        lit
    }

    /// The literal of an atom that has a variable.
    pub(crate) fn find(&self, predicate: Predicate, args: Args) -> Option<Lit> {
        self.index.get(&(predicate, args)).copied()
    }

    /// The literal of an equality between different terms.
    pub(crate) fn eq(&mut self, sat: &mut Sat, a: Ground, b: Ground) -> Lit {
        debug_assert_ne!(a, b);
        let key = (a.min(b), a.max(b));
        if let Some(&lit) = self.equality_index.get(&key) {
            return lit;
        }
        let lit = sat.variable(true);
        self.equalities.push((key.0, key.1, lit));
        self.equality_index.insert(key, lit);
        lit
    }

    /// The equalities that have a variable.
    pub(crate) fn equalities(&self) -> &[(Ground, Ground, Lit)] {
        &self.equalities
    }
}
