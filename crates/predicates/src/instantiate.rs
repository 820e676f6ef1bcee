//! The predicates of families over the variables of a location.
//!
//! Only variables that matter at a location are used: those that are live there, and the arguments
//! as they were passed if the contract mentions them or their family is in. Predicates that are the
//! same for every state (`x == x`, everything reaches null) are left out, and so are duplicates and
//! those whose types do not fit.
//!
//! Here is what all families need; their predicates are made in `lists` (how variables and lists lie
//! to each other), `memory` (what is allocated, written and kept), `order` (data) and `user`.

mod lists;
mod memory;
mod order;
mod user;

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{Arena, FormulaId, FunId, RelId, TermId, VarId, Vocabulary};
use trellis_program::CheckKind;
use trellis_program::view::{Kind, Spot};
use trellis_transys::{
    ErrorKind, HeapLogic, Location, LocationId, PointerField, RegSymbol, Symbols, TransitionSystem,
    UserPredicate,
};

use crate::families::{Families, Family};

/// One list of predicates a location.
pub fn instantiate(
    system: &mut TransitionSystem,
    families: &Families,
    user: &[UserPredicate],
) -> Vec<Vec<FormulaId>> {
    let symbols = system.symbols.clone();
    let locations = system.locations.clone();
    let spots = spots(&symbols);
    let hidden = match families.contains(Family::Arguments) {
        true => BTreeSet::new(),
        false => idle_arguments(system),
    };
    let mut out = Vec::new();
    for location in &locations {
        let null = system.arena.constant(symbols.null);
        let mut pointers = Vec::new();
        for &fun in &location.constants {
            if system.vocabulary.fun(fun).result == symbols.obj && !hidden.contains(&fun) {
                let spot = spots.get(&fun).copied().unwrap_or(Spot::Start);
                pointers.push(Pointer { term: system.arena.constant(fun), spot });
            }
        }
        let mut maker = Maker {
            arena: &mut system.arena,
            vocabulary: &system.vocabulary,
            symbols: &symbols,
            location,
            pointers,
            null: Pointer { term: null, spot: Spot::Null },
            found: Vec::new(),
            seen: BTreeSet::new(),
        };
        for family in families.iter() {
            maker.family(family);
        }
        for predicate in user {
            maker.user(predicate);
        }
        out.push(maker.found);
    }
    out
}

/// The arguments as they were passed that neither the code nor the contract mentions; the roots of
/// what is not leaked do not count.
pub fn idle_arguments(system: &TransitionSystem) -> BTreeSet<FunId> {
    let mut idle = BTreeSet::new();
    for twin in system.symbols.regs.values().filter(|twin| twin.now != twin.entry) {
        if let RegSymbol::Ptr(fun) = twin.entry
            && system.locations.iter().skip(1).any(|l| l.constants.contains(&fun))
        {
            idle.insert(fun);
        }
    }
    let leak = ErrorKind::Check(CheckKind::Leak);
    let later = system.paths.iter().filter(|path| {
        path.from != LocationId::ENTRY && path.error().is_none_or(|error| error.kind != leak)
    });
    for &guard in later.flat_map(|path| &path.guards) {
        for fun in system.arena.symbols_in_use(guard).funs {
            idle.remove(&fun);
        }
    }
    idle
}

/// Where the variables point.
fn spots(symbols: &Symbols) -> BTreeMap<FunId, Spot> {
    let mut spots = BTreeMap::new();
    for (reg, twin) in &symbols.regs {
        let Ok(Kind::Ptr(spot)) = symbols.view.reg(*reg).map(|r| r.kind) else { continue };
        for symbol in [twin.now, twin.entry] {
            if let RegSymbol::Ptr(fun) = symbol {
                spots.insert(fun, spot);
            }
        }
    }
    spots
}

/// A variable or null, with where it points.
#[derive(Clone, Copy)]
struct Pointer {
    term: TermId,
    spot: Spot,
}

/// Makes the predicates of a location.
struct Maker<'a> {
    arena: &'a mut Arena,
    vocabulary: &'a Vocabulary,
    symbols: &'a Symbols,
    location: &'a Location,
    pointers: Vec<Pointer>,
    null: Pointer,
    found: Vec<FormulaId>,
    seen: BTreeSet<FormulaId>,
}

impl Maker<'_> {
    fn family(&mut self, family: Family) {
        match family {
            Family::Equality => self.equality(),
            Family::Reach => self.reach(self.fields()),
            Family::Edge => self.edge(),
            Family::Segment => self.segment(),
            Family::Stable => self.stable(),
            Family::Kept => self.kept(),
            Family::Data => self.data(),
            Family::Sorted => self.sorted(),
            Family::Reverse => self.reverse(),
            // They are among the pointers already.
            Family::Arguments => {}
            Family::Entry => self.entry(),
        }
    }

    /// Adds a predicate, unless it says nothing or there is one that says the same or the opposite.
    fn push(&mut self, predicate: FormulaId) {
        let opposite = self.arena.not(predicate);
        let constant = predicate == FormulaId::TRUE || predicate == FormulaId::FALSE;
        if !constant && !self.seen.contains(&opposite) && self.seen.insert(predicate) {
            self.found.push(predicate);
        }
    }

    fn has(&self, rel: RelId) -> bool {
        self.location.relations.contains(&rel)
    }

    /// A unary relation of every pointer.
    fn of_each(&mut self, rel: RelId) {
        if self.has(rel) {
            for x in self.pointers.clone() {
                let atom = self.arena.rel(rel, &[x.term]);
                self.push(atom);
            }
        }
    }

    /// Where formulas about pointer fields are made.
    fn heap(&mut self) -> HeapLogic<'_> {
        let fields = self.symbols.fields();
        HeapLogic { arena: self.arena, vocabulary: self.vocabulary, fields }
    }

    /// The fields with their relations, as far as these matter here.
    fn fields(&self) -> Vec<(PointerField, RelId)> {
        let fields = self.symbols.pointers.iter().map(|f| (f.clone(), f.relation.now));
        fields.filter(|(_, rel)| self.has(*rel)).collect()
    }

    /// The fields that change, with their relations at the entry.
    fn entry_fields(&self) -> Vec<(PointerField, RelId)> {
        let changing = self.symbols.pointers.iter().filter(|f| f.relation.entry != f.relation.now);
        let fields = changing.map(|f| (f.clone(), f.relation.entry));
        fields.filter(|(_, rel)| self.has(*rel)).collect()
    }

    /// The pointers that have a field.
    fn owners(&self, field: &PointerField) -> Vec<Pointer> {
        let owns = |x: &&Pointer| match x.spot {
            Spot::At { family, .. } => family == field.cell.family,
            Spot::Start => true,
            Spot::Null => false,
        };
        self.pointers.iter().filter(owns).copied().collect()
    }

    /// The pointers, and null, that may equal the value of a field or be reached over it.
    fn targets(&self, field: &PointerField) -> Vec<Pointer> {
        let to = match field.kind {
            Kind::Ptr(spot) => spot,
            Kind::Int => Spot::Start,
        };
        let meets = |y: &Pointer| self.symbols.view.meet(y.spot, to).is_some();
        let mut targets: Vec<Pointer> = self.pointers.iter().copied().filter(meets).collect();
        targets.push(self.null);
        targets
    }

    fn variables(&mut self) -> ([VarId; 2], [TermId; 2]) {
        let vars = ["u", "v"].map(|name| self.arena.variable(name, self.symbols.obj));
        (vars, vars.map(|v| self.arena.var_term(v)))
    }

    /// `reach(f, x, y)`; null is reached from everywhere.
    fn reaches(&mut self, rel: RelId, x: TermId, y: TermId) -> FormulaId {
        if y == self.null.term { FormulaId::TRUE } else { self.arena.rel(rel, &[x, y]) }
    }

    fn is_object(&mut self, x: TermId) -> FormulaId {
        self.arena.ne(x, self.null.term)
    }

    /// For all segments of a field, between a pointer and another one or null.
    fn each_segment(&mut self, mut make: impl FnMut(&mut Self, RelId, TermId, TermId)) {
        for (field, rel) in self.fields().into_iter().filter(|(f, _)| f.recursive) {
            for x in self.owners(&field) {
                for y in self.targets(&field) {
                    if x.term != y.term {
                        make(self, rel, x.term, y.term);
                    }
                }
            }
        }
    }
}
