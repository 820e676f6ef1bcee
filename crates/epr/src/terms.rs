//! Ground terms: the candidates for the elements of a model.
//!
//! A symbol is a function or constant of the user, a witness of an existential quantifier, or the
//! one element that a sort without any term gets. Which terms matter for a query follows from their
//! symbols: those of the assertions and those of the query's own assumptions.
//!
//! **Invariants**: equal terms have equal ids; the arguments of a term have smaller ids. A function
//! is applied where an instance of a clause needs it. The sort graph is acyclic (see `admit`), so
//! there are finitely many such terms.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use smallvec::SmallVec;
use trellis_logic::{FunId, SortId, Vocabulary};

/// A ground term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Ground(pub(crate) u32);

impl Ground {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function symbol or constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Symbol(pub(crate) u32);

pub(crate) struct SymbolInfo {
    /// The user's name for it, if it is not a witness.
    pub(crate) user: Option<FunId>,
    pub(crate) result: SortId,
    /// Whether an assertion mentions it.
    pub(crate) permanent: bool,
    /// A witness is only of interest where the formula that it witnesses is claimed to hold.
    pub(crate) owner: Option<Lit>,
}

pub(crate) type Args = SmallVec<[Ground; 3]>;

struct Node {
    symbol: Symbol,
    args: Args,
}

#[derive(Default)]
pub(crate) struct Terms {
    symbols: Vec<SymbolInfo>,
    of_user: Vec<Option<Symbol>>,
    /// By sort; the element of a sort that has no other.
    lonely: FxHashMap<SortId, Symbol>,
    nodes: Vec<Node>,
    index: FxHashMap<(Symbol, Args), Ground>,
    by_sort: Vec<Vec<Ground>>,
    has_applications: bool,
}

impl Terms {
    pub(crate) fn user(&mut self, vocabulary: &Vocabulary, fun: FunId) -> Symbol {
        if self.of_user.len() <= fun.index() {
            self.of_user.resize(fun.index() + 1, None);
        }
        if let Some(symbol) = self.of_user[fun.index()] {
            return symbol;
        }
        let declared = vocabulary.fun(fun);
        let symbol = self.declare(Some(fun), declared.result);
        self.of_user[fun.index()] = Some(symbol);
        symbol
    }

    /// The symbol of a function of the user that occurred in some formula.
    pub(crate) fn find_user(&self, fun: FunId) -> Option<Symbol> {
        self.of_user.get(fun.index()).copied().flatten()
    }

    pub(crate) fn witness(&mut self, result: SortId) -> Symbol {
        self.declare(None, result)
    }

    /// The element of a sort that has no other.
    pub(crate) fn lonely(&mut self, sort: SortId) -> Ground {
        let symbol = match self.lonely.get(&sort) {
            Some(&symbol) => symbol,
            None => {
                let symbol = self.declare(None, sort);
                self.lonely.insert(sort, symbol);
                symbol
            }
        };
        self.app(symbol, &[])
    }

    fn declare(&mut self, user: Option<FunId>, result: SortId) -> Symbol {
        let (permanent, owner) = (false, None);
        self.symbols.push(SymbolInfo { user, result, permanent, owner });
        Symbol(self.symbols.len() as u32 - 1)
    }

    pub(crate) fn symbol(&self, symbol: Symbol) -> &SymbolInfo {
        &self.symbols[symbol.0 as usize]
    }

    pub(crate) fn symbol_mut(&mut self, symbol: Symbol) -> &mut SymbolInfo {
        &mut self.symbols[symbol.0 as usize]
    }

    pub(crate) fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    pub(crate) fn app(&mut self, symbol: Symbol, args: &[Ground]) -> Ground {
        let key = (symbol, Args::from_slice(args));
        if let Some(&term) = self.index.get(&key) {
            return term;
        }
        let term = Ground(self.nodes.len() as u32);
        let sort = self.symbol(symbol).result.index();
        if self.by_sort.len() <= sort {
            self.by_sort.resize(sort + 1, Vec::new());
        }
        self.by_sort[sort].push(term);
        self.has_applications |= !args.is_empty();
        self.nodes.push(Node { symbol, args: key.1.clone() });
        self.index.insert(key, term);
        term
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether some term is more than a constant.
    pub(crate) fn has_applications(&self) -> bool {
        self.has_applications
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = Ground> + use<> {
        (0..self.nodes.len() as u32).map(Ground)
    }

    pub(crate) fn of_sort(&self, sort: SortId) -> &[Ground] {
        self.by_sort.get(sort.index()).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn head(&self, term: Ground) -> Symbol {
        self.nodes[term.index()].symbol
    }

    pub(crate) fn args(&self, term: Ground) -> &[Ground] {
        &self.nodes[term.index()].args
    }

    pub(crate) fn sort(&self, term: Ground) -> SortId {
        self.symbol(self.head(term)).result
    }
}
