//! Finite two-valued structures: a concrete heap, a solver's model, the subject of a diagram.
//!
//! **Invariants**: every uninterpreted sort has at least one element; the elements of a sort of
//! size n are `0..n`. A relation is a bitset over its tuples, a function a table; tables may have
//! holes, because the fields of the null element and of freed memory are undefined.
//!
//! The closure of a field is computed from the field unless it was given. Giving it is for solver
//! models, where only the closure is known, and for substructures, which keep `x reaches y` though
//! the nodes between are gone.
//!
//! Integers are not elements: functions may have integer results (`x->data`), not arguments.
//!
//! Evaluation, restriction, renaming and canonical keys are in the submodules. Tuples are numbered
//! by a `TupleSpace` that knows nothing of truth values, so that Kleene structures can use it too.

pub mod canonical;
pub mod closure;
pub mod eval;
pub mod rename;
pub mod restrict;

use std::borrow::Cow;
use std::sync::Arc;

use crate::bits::BitSet;
use crate::ids::{FunId, RelId, SortId};
use crate::vocabulary::{FunKind, RelKind, Vocabulary};

/// The value of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// An element of an uninterpreted sort.
    Elem(u32),
    /// An integer.
    Int(i128),
}

impl From<u32> for Value {
    fn from(element: u32) -> Self {
        Value::Elem(element)
    }
}

/// The numbering of the tuples over given universes: mixed radix, last component fastest.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TupleSpace {
    sizes: Vec<u32>,
}

impl TupleSpace {
    /// Tuples whose components range over universes of these sizes.
    pub fn new(sizes: Vec<u32>) -> Self {
        TupleSpace { sizes }
    }

    /// How many tuples there are.
    pub fn len(&self) -> usize {
        self.sizes.iter().map(|&n| n as usize).product()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a tuple.
    pub fn index(&self, tuple: &[u32]) -> usize {
        debug_assert_eq!(tuple.len(), self.sizes.len());
        tuple.iter().zip(&self.sizes).fold(0, |index, (&x, &n)| {
            debug_assert!(x < n);
            index * n as usize + x as usize
        })
    }

    /// The tuple with a number.
    pub fn tuple(&self, mut index: usize) -> Vec<u32> {
        let mut tuple = vec![0; self.sizes.len()];
        for (slot, &n) in tuple.iter_mut().zip(&self.sizes).rev() {
            *slot = (index % n as usize) as u32;
            index /= n as usize;
        }
        tuple
    }
}

/// A finite structure over a vocabulary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Structure {
    vocabulary: Arc<Vocabulary>,
    /// By sort; zero for the integers.
    sizes: Vec<u32>,
    /// By function symbol and number of the argument tuple.
    funs: Vec<Vec<Option<Value>>>,
    /// By relation symbol; `None` for a closure that follows its field.
    rels: Vec<Option<BitSet>>,
}

impl Structure {
    /// A structure in which all relations are empty, and all functions undefined.
    ///
    /// `sizes` has one entry for every sort of the vocabulary; that of the integers is ignored.
    ///
    /// # Panics
    ///
    /// If an uninterpreted sort would be empty, or has no entry, or if a symbol takes integer
    /// arguments.
    pub fn new(vocabulary: Arc<Vocabulary>, sizes: &[u32]) -> Self {
        assert_eq!(sizes.len(), vocabulary.sorts().len(), "one size for every sort");
        assert!(sizes[1..].iter().all(|&n| n > 0), "universes are never empty");
        let mut sizes = sizes.to_vec();
        sizes[SortId::INT.index()] = 0;
        let space = |args: &[SortId]| -> usize {
            assert!(!args.contains(&SortId::INT), "integer arguments are not supported");
            args.iter().map(|s| sizes[s.index()] as usize).product()
        };
        let funs = vocabulary.funs.iter().map(|f| vec![None; space(&f.args)]).collect();
        let rels = vocabulary
            .rels
            .iter()
            .map(|r| r.kind.field().is_none().then(|| BitSet::new(space(&r.args))))
            .collect();
        Structure { vocabulary, sizes, funs, rels }
    }

    /// The symbols it interprets.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// How many elements a sort has; zero for the integers.
    pub fn size(&self, sort: SortId) -> u32 {
        self.sizes[sort.index()]
    }

    /// The sizes of all sorts, as [`Structure::new`] takes them.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The numbering of the argument tuples of a function.
    pub fn fun_space(&self, fun: FunId) -> TupleSpace {
        let args = &self.vocabulary.fun(fun).args;
        TupleSpace::new(args.iter().map(|&s| self.size(s)).collect())
    }

    /// The numbering of the tuples of a relation.
    pub fn rel_space(&self, rel: RelId) -> TupleSpace {
        let args = &self.vocabulary.rel(rel).args;
        TupleSpace::new(args.iter().map(|&s| self.size(s)).collect())
    }

    /// The value of a function; `None` where it is undefined.
    pub fn fun(&self, fun: FunId, args: &[u32]) -> Option<Value> {
        self.funs[fun.index()][self.index(&self.vocabulary.fun(fun).args, args)]
    }

    /// The number of a tuple over these sorts, as its [`TupleSpace`] gives it.
    fn index(&self, sorts: &[SortId], tuple: &[u32]) -> usize {
        debug_assert_eq!(tuple.len(), sorts.len());
        tuple.iter().zip(sorts).fold(0, |index, (&x, &sort)| {
            debug_assert!(x < self.size(sort));
            index * self.size(sort) as usize + x as usize
        })
    }

    /// The value of a function at the argument tuple with this number.
    pub(crate) fn fun_at(&self, fun: FunId, index: usize) -> Option<Value> {
        self.funs[fun.index()][index]
    }

    /// Defines a function at one place, or makes it undefined there.
    ///
    /// # Panics
    ///
    /// If the value is not one of the function's result sort.
    pub fn set_fun(&mut self, fun: FunId, args: &[u32], value: Option<Value>) {
        let result = self.vocabulary.fun(fun).result;
        match value {
            Some(Value::Elem(x)) => assert!(x < self.size(result), "no such element"),
            Some(Value::Int(_)) => assert_eq!(result, SortId::INT, "an integer as an element"),
            None => {}
        }
        let index = self.index(&self.vocabulary.fun(fun).args, args);
        self.funs[fun.index()][index] = value;
    }

    /// Makes a constant denote an element.
    pub fn set_constant(&mut self, constant: FunId, value: impl Into<Value>) {
        self.set_fun(constant, &[], Some(value.into()));
    }

    /// The element that a constant denotes, if it is defined and not an integer.
    pub fn constant(&self, constant: FunId) -> Option<u32> {
        match self.fun(constant, &[]) {
            Some(Value::Elem(x)) => Some(x),
            Some(Value::Int(_)) | None => None,
        }
    }

    /// Whether a relation holds of a tuple.
    pub fn rel(&self, rel: RelId, args: &[u32]) -> bool {
        self.rel_table(rel).contains(self.index(&self.vocabulary.rel(rel).args, args))
    }

    /// Makes a relation hold of a tuple, or not. A closure becomes independent of its field.
    pub fn set_rel(&mut self, rel: RelId, args: &[u32], value: bool) {
        let index = self.index(&self.vocabulary.rel(rel).args, args);
        if self.rels[rel.index()].is_none() {
            self.rels[rel.index()] = Some(self.rel_table(rel).into_owned());
        }
        if let Some(table) = &mut self.rels[rel.index()] {
            table.set(index, value);
        }
    }

    /// Makes a relation hold of nothing. A closure becomes independent of its field.
    pub fn clear_rel(&mut self, rel: RelId) {
        let sorts = self.vocabulary.rel(rel).args.iter();
        let len = sorts.map(|&s| self.sizes[s.index()] as usize).product();
        match &mut self.rels[rel.index()] {
            Some(table) => table.clear(),
            none => *none = Some(BitSet::new(len)),
        }
    }

    /// Gives a relation as a whole. A closure becomes independent of its field.
    ///
    /// # Panics
    ///
    /// If the table does not have one bit for every tuple.
    pub fn set_rel_table(&mut self, rel: RelId, table: BitSet) {
        assert_eq!(table.capacity(), self.rel_space(rel).len(), "one bit for every tuple");
        self.rels[rel.index()] = Some(table);
    }

    /// All tuples of a relation; a closure that was not given is computed from its field.
    pub fn rel_table(&self, rel: RelId) -> Cow<'_, BitSet> {
        match (&self.rels[rel.index()], self.vocabulary.rel(rel).kind) {
            (Some(table), _) => Cow::Borrowed(table),
            (None, RelKind::Closure { field }) => Cow::Owned(closure::closure(self, field)),
            (None, RelKind::Between { field }) => Cow::Owned(closure::between(self, field)),
            (None, RelKind::Plain | RelKind::Order | RelKind::Below { .. }) => {
                Cow::Owned(BitSet::new(self.rel_space(rel).len()))
            }
        }
    }

    /// The tuples of which a relation holds, in ascending order.
    pub fn tuples(&self, rel: RelId) -> Vec<Vec<u32>> {
        let space = self.rel_space(rel);
        self.rel_table(rel).iter().map(|i| space.tuple(i)).collect()
    }

    /// Whether every function except the fields is defined everywhere.
    pub fn is_total(&self) -> bool {
        self.vocabulary.funs().all(|f| {
            self.vocabulary.fun(f).kind == FunKind::Field
                || self.funs[f.index()].iter().all(Option::is_some)
        })
    }
}
