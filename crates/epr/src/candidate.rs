//! What the SAT solver's model says about the relevant ground terms: which are equal, and which
//! relations hold of them.
//!
//! Only relevant terms count: a substructure keeps universal formulas true, and everything that is
//! asserted or assumed is universal once it has its witnesses. So neither the witnesses of
//! disjuncts that are not claimed, nor those of earlier queries, become elements.
//!
//! **Invariant**: a class is represented by its smallest term; classes of a sort are numbered in
//! that order.

use rustc_hash::{FxBuildHasher, FxHashMap};
use rustsat::types::Lit;
use smallvec::SmallVec;
use trellis_logic::{RelId, SortId, Vocabulary};

use crate::atoms::Predicate;
use crate::ground::Grounding;
use crate::terms::{Args, Ground, Symbol};

/// No class: the term is not relevant.
pub(crate) const NONE: u32 = u32::MAX;
/// No class yet: the function was not applied to these arguments, but should be.
pub(crate) const MISSING: u32 = u32::MAX - 1;

pub(crate) struct Candidate {
    /// By term: its class among those of its sort.
    classes: Vec<u32>,
    /// By term: the next term towards the representative.
    parents: Vec<Ground>,
    /// By sort: the representatives of the classes.
    elements: Vec<Vec<Ground>>,
    /// By predicate, if anybody asked; only for relations of the user.
    tables: FxHashMap<Predicate, Table>,
    /// The relations without arguments that hold, once somebody wants the whole model.
    propositions: Vec<RelId>,
    /// Whether everything about relations was read.
    is_complete: bool,
    /// By symbol.
    relevant: Vec<bool>,
    /// The classes of applications, by the classes of the arguments.
    applications: FxHashMap<(Symbol, Args), u32>,
    /// Whether some class has more than one term.
    pub(crate) merged: bool,
    /// By term: whether its class has another one.
    shared: Vec<bool>,
}

/// The tuples of classes of which a predicate holds.
pub(crate) struct Table {
    sizes: SmallVec<[u32; 3]>,
    /// How far apart the bits of two tuples are that differ by one in one component.
    strides: SmallVec<[usize; 3]>,
    bits: SmallVec<[u64; 4]>,
}

impl Table {
    fn new(sizes: SmallVec<[u32; 3]>) -> Self {
        let tuples: usize = sizes.iter().map(|&n| n as usize).product();
        let mut strides = SmallVec::from_elem(1, sizes.len());
        for i in (1..sizes.len()).rev() {
            strides[i - 1] = strides[i] * sizes[i] as usize;
        }
        Table { sizes, strides, bits: SmallVec::from_elem(0, tuples.div_ceil(64)) }
    }

    fn index(&self, tuple: impl Iterator<Item = u32>) -> usize {
        tuple.zip(&self.sizes).fold(0, |index, (x, &n)| index * n as usize + x as usize)
    }

    /// The tuples as bits.
    pub(crate) fn bits(&self) -> &[u64] {
        &self.bits
    }

    /// How far apart the bits of two tuples are that differ by one in one component.
    pub(crate) fn strides(&self) -> &[usize] {
        &self.strides
    }

    /// Whether it holds of nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.bits.iter().all(|&word| word == 0)
    }

    pub(crate) fn holds(&self, tuple: impl Iterator<Item = u32>) -> bool {
        let index = self.index(tuple);
        self.bits[index / 64] >> (index % 64) & 1 == 1
    }
}

impl Candidate {
    /// Reads the SAT solver's model. Sorts without relevant terms get one element.
    pub(crate) fn read(ground: &mut Grounding, vocabulary: &Vocabulary, query: &[Symbol]) -> Self {
        let mut candidate = Candidate {
            classes: vec![NONE; ground.terms.len()],
            parents: ground.terms.all().collect(),
            elements: vec![Vec::new(); vocabulary.sorts().len()],
            tables: FxHashMap::with_capacity_and_hasher(
                ground.atoms.relations().len(),
                FxBuildHasher,
            ),
            propositions: Vec::new(),
            is_complete: false,
            relevant: relevant_symbols(ground, query),
            applications: FxHashMap::default(),
            merged: false,
            shared: vec![false; ground.terms.len()],
        };
        candidate.find_relevant(ground);
        let mut lonely = false;
        for sort in vocabulary.sorts().filter(|&s| s != SortId::INT) {
            let terms = ground.terms.of_sort(sort);
            if !terms.iter().any(|&t| candidate.is_relevant(t)) {
                let element = ground.terms.lonely(sort);
                debug_assert!(element.index() < candidate.classes.len(), "made before the search");
                candidate.classes[element.index()] = 0;
                lonely = true;
            }
        }
        if lonely {
            candidate.find_relevant(ground);
        }
        candidate.merge(ground);
        candidate.number(ground);
        candidate.apply(ground);
        candidate
    }

    /// Gives the relevant terms the class zero, until classes are numbered.
    fn find_relevant(&mut self, ground: &Grounding) {
        for term in ground.terms.all() {
            let head = ground.terms.head(term);
            let mut args = ground.terms.args(term).iter();
            if self.relevant[head.0 as usize] && args.all(|&a| self.is_relevant(a)) {
                self.classes[term.index()] = 0;
            }
        }
    }

    pub(crate) fn is_relevant(&self, term: Ground) -> bool {
        self.classes[term.index()] != NONE
    }

    fn merge(&mut self, ground: &Grounding) {
        for &(a, b, lit) in ground.atoms.equalities() {
            if self.is_relevant(a) && self.is_relevant(b) && ground.sat.value(lit) {
                let (a, b) = (self.representative(a), self.representative(b));
                self.merged |= a != b;
                self.parents[a.max(b).index()] = a.min(b);
            }
        }
    }

    fn number(&mut self, ground: &Grounding) {
        for term in ground.terms.all() {
            if !self.is_relevant(term) {
                continue;
            }
            let representative = self.representative(term);
            self.classes[term.index()] = if representative == term {
                let elements = &mut self.elements[ground.terms.sort(term).index()];
                elements.push(term);
                elements.len() as u32 - 1
            } else {
                self.shared[term.index()] = true;
                self.shared[representative.index()] = true;
                self.classes[representative.index()]
            };
        }
    }

    fn apply(&mut self, ground: &Grounding) {
        if !ground.terms.has_applications() {
            return;
        }
        for term in ground.terms.all() {
            let args = ground.terms.args(term);
            if self.is_relevant(term) && !args.is_empty() {
                let args = args.iter().map(|&a| Ground(self.class(a))).collect();
                self.applications.insert((ground.terms.head(term), args), self.class(term));
            }
        }
    }

    /// The class of a function's value; [`MISSING`] if nothing is known of it.
    pub(crate) fn value(&self, symbol: Symbol, args: Args) -> u32 {
        match self.relevant.get(symbol.0 as usize) {
            Some(true) => self.applications.get(&(symbol, args)).copied().unwrap_or(MISSING),
            Some(false) | None => NONE,
        }
    }

    fn representative(&self, mut term: Ground) -> Ground {
        while self.parents[term.index()] != term {
            term = self.parents[term.index()];
        }
        term
    }

    /// The class of a term among those of its sort; [`NONE`] if it is not relevant.
    pub(crate) fn class(&self, term: Ground) -> u32 {
        self.classes.get(term.index()).copied().unwrap_or(NONE)
    }

    /// Whether other terms are in the class of a term.
    pub(crate) fn is_shared(&self, term: Ground) -> bool {
        self.shared[term.index()]
    }

    /// The representatives of the classes of a sort.
    pub(crate) fn elements(&self, sort: SortId) -> &[Ground] {
        self.elements.get(sort.index()).map_or(&[], Vec::as_slice)
    }

    /// How many elements there are in all.
    pub(crate) fn size(&self) -> usize {
        self.elements.iter().map(Vec::len).sum()
    }

    /// Makes sure that the table of a relation exists.
    pub(crate) fn tabulate(&mut self, ground: &Grounding, predicate: Predicate) {
        if self.tables.contains_key(&predicate) {
            return;
        }
        let info = ground.atoms.predicate(predicate);
        let sizes = info.args.iter().map(|&s| self.elements(s).len() as u32).collect();
        let mut table = Table::new(sizes);
        for (args, lit) in info.atoms() {
            if ground.sat.value(lit) && args.iter().all(|&t| self.is_relevant(t)) {
                let index = table.index(args.iter().map(|&t| self.class(t)));
                table.bits[index / 64] |= 1 << (index % 64);
            }
        }
        self.tables.insert(predicate, table);
    }

    /// Makes sure that everything about relations is known, before the SAT solver finds another model.
    pub(crate) fn tabulate_all(&mut self, ground: &Grounding) {
        if std::mem::replace(&mut self.is_complete, true) {
            return;
        }
        for &predicate in ground.atoms.relations() {
            self.tabulate(ground, predicate);
        }
        let holds = |&(_, lit): &(RelId, Lit)| ground.sat.value(lit);
        self.propositions = ground.atoms.propositions().filter(holds).map(|(r, _)| r).collect();
    }

    /// The relations without arguments that hold.
    pub(crate) fn propositions(&self) -> &[RelId] {
        &self.propositions
    }

    /// The table of a predicate that was tabulated.
    pub(crate) fn table(&self, predicate: Predicate) -> Option<&Table> {
        self.tables.get(&predicate)
    }
}

/// By symbol: whether its terms are relevant if their arguments are.
fn relevant_symbols(ground: &Grounding, query: &[Symbol]) -> Vec<bool> {
    let mut relevant: Vec<bool> = (0..ground.terms.symbol_count() as u32)
        .map(|s| ground.terms.symbol(Symbol(s)).permanent)
        .collect();
    for symbol in query {
        relevant[symbol.0 as usize] = true;
    }
    for (s, relevant) in relevant.iter_mut().enumerate() {
        if let Some(owner) = ground.terms.symbol(Symbol(s as u32)).owner {
            *relevant &= ground.sat.value(owner);
        }
    }
    relevant
}
