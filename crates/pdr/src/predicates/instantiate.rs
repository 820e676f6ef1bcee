//! The predicates of families over the variables of a location.
//!
//! Only variables that matter at a location are used: those that are live there, and the arguments
//! as they were passed. Predicates that are the same for every state (`x == x`, everything reaches
//! null) are left out, and so are duplicates and those whose types do not fit.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{Arena, FormulaId, FunId, RelId, Subst, TermId, VarId, Vocabulary, fragment};
use trellis_program::view::{Kind, Spot};
use trellis_solver::theory;
use trellis_transys::{
    Flag, Location, PointerField, RegSymbol, Symbols, TransitionSystem, UserPredicate,
};

use super::families::{Families, Family};

/// One list of predicates a location.
pub fn instantiate(
    system: &mut TransitionSystem,
    families: &Families,
    user: &[UserPredicate],
) -> Vec<Vec<FormulaId>> {
    let symbols = system.symbols.clone();
    let locations = system.locations.clone();
    let spots = spots(&symbols);
    let mut out = Vec::new();
    for location in &locations {
        let null = system.arena.constant(symbols.null);
        let mut pointers = Vec::new();
        for &fun in &location.constants {
            if system.vocabulary.fun(fun).result == symbols.obj {
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

#[derive(Clone, Copy)]
struct Pointer {
    term: TermId,
    spot: Spot,
}

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
            Family::Reach => self.reach(false),
            Family::Edge => self.edge(),
            Family::Segment => self.segment(),
            Family::Stable => self.stable(),
            Family::Kept => self.kept(),
            Family::Data => self.data(),
            Family::Sorted => self.sorted(),
            Family::Reverse => self.reverse(),
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

    /// Pairs of different pointers that may point to the same place.
    fn pairs(&self) -> Vec<(Pointer, Pointer)> {
        let mut pairs = Vec::new();
        for (i, &x) in self.pointers.iter().enumerate() {
            for &y in &self.pointers[i + 1..] {
                if self.symbols.view.meet(x.spot, y.spot).is_some() {
                    pairs.push((x, y));
                }
            }
        }
        pairs
    }

    fn equality(&mut self) {
        for x in self.pointers.clone() {
            let is_null = self.arena.eq(x.term, self.null.term);
            self.push(is_null);
        }
        for (x, y) in self.pairs() {
            let same = self.arena.eq(x.term, y.term);
            self.push(same);
        }
        for &rel in &self.location.propositions {
            let atom = self.arena.rel(rel, &[]);
            self.push(atom);
        }
        let fixed = self.symbols.marks.values().chain(self.symbols.types.values());
        let flags = self.symbols.integers.iter().filter_map(|f| match f.now {
            Flag::Truth(rel) => Some(rel),
            Flag::Data(_) => None,
        });
        for rel in fixed.copied().chain(flags).collect::<Vec<_>>() {
            self.of_each(rel);
        }
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

    /// The fields with the relation that is their closure here.
    fn closures(&self, entry: bool) -> Vec<(PointerField, RelId)> {
        let fields = self.symbols.pointers.iter().map(|f| {
            let rel = if entry { f.closure.entry } else { f.closure.now };
            (f.clone(), rel)
        });
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

    fn reach(&mut self, entry: bool) {
        for (field, rel) in self.closures(entry) {
            for x in self.owners(&field) {
                for y in self.targets(&field) {
                    // Null ends every list.
                    if x.term != y.term && y.term != self.null.term {
                        let atom = self.arena.rel(rel, &[x.term, y.term]);
                        self.push(atom);
                    }
                }
            }
        }
    }

    fn edge(&mut self) {
        for (field, rel) in self.closures(false) {
            for x in self.owners(&field) {
                for y in self.targets(&field) {
                    if x.term != y.term {
                        let next =
                            theory::successor(self.arena, self.vocabulary, rel, x.term, y.term);
                        self.push(next);
                    }
                }
            }
        }
    }

    fn variables(&mut self) -> ([VarId; 2], [TermId; 2]) {
        let vars = ["u", "v"].map(|name| self.arena.variable(name, self.symbols.obj));
        (vars, vars.map(|v| self.arena.var_term(v)))
    }

    fn is_object(&mut self, x: TermId) -> FormulaId {
        self.arena.ne(x, self.null.term)
    }

    /// For all segments of a field, between a pointer and another one or null.
    fn each_segment(&mut self, mut make: impl FnMut(&mut Self, RelId, TermId, TermId)) {
        for (field, rel) in self.closures(false).into_iter().filter(|(f, _)| f.recursive) {
            for x in self.owners(&field) {
                for y in self.targets(&field) {
                    if x.term != y.term {
                        make(self, rel, x.term, y.term);
                    }
                }
            }
        }
    }

    fn segment(&mut self) {
        let (vars, [a, b]) = self.variables();
        self.each_segment(|s, rel, x, y| {
            let parts = [
                s.is_object(a),
                s.arena.rel(rel, &[x, a]),
                s.arena.rel(rel, &[a, y]),
                s.arena.rel(rel, &[b, a]),
            ];
            let inside = s.arena.and(parts);
            let known = [s.arena.rel(rel, &[b, x]), s.arena.rel(rel, &[x, b])];
            let known = s.arena.or(known);
            let body = s.arena.implies(inside, known);
            let unshared = s.arena.forall(&vars, body);
            s.push(unshared);
        });
    }

    fn stable(&mut self) {
        let alloc = self.symbols.alloc.now;
        self.of_each(alloc);
        let undefined: Vec<RelId> = self
            .symbols
            .pointers
            .iter()
            .map(|f| f.undefined)
            .chain(self.symbols.integers.iter().map(|f| f.undefined))
            .filter(|rel| self.has(*rel))
            .collect();
        for &rel in &undefined {
            self.of_each(rel);
        }
        let changes = self.symbols.alloc.now != self.symbols.alloc.entry;
        let (vars, [a, _]) = self.variables();
        for (field, rel) in self.closures(false).into_iter().filter(|(f, _)| f.recursive) {
            for x in self.owners(&field) {
                let parts = [self.is_object(a), self.arena.rel(rel, &[x.term, a])];
                let reached = self.arena.and(parts);
                let mut promises = Vec::new();
                if changes {
                    promises.push(self.arena.rel(alloc, &[a]));
                }
                for &missing in &undefined {
                    let missing = self.arena.rel(missing, &[a]);
                    promises.push(self.arena.not(missing));
                }
                for promise in promises {
                    let body = self.arena.implies(reached, promise);
                    let stable = self.arena.forall(&vars[..1], body);
                    self.push(stable);
                }
            }
        }
    }

    fn kept(&mut self) {
        let mut everything = Vec::new();
        for (field, rel) in self.closures(false) {
            let roots: Vec<_> = self.owners(&field).iter().map(|x| (rel, x.term)).collect();
            for &root in &roots {
                self.kept_by(&[root]);
            }
            self.kept_by(&roots);
            everything.extend(roots);
        }
        self.kept_by(&everything);
    }

    /// Everything that is allocated is reached over one of the fields from its variable.
    fn kept_by(&mut self, roots: &[(RelId, TermId)]) {
        let (vars, [a, _]) = self.variables();
        let reached: Vec<_> = roots.iter().map(|&(rel, x)| self.arena.rel(rel, &[x, a])).collect();
        let reached = self.arena.or(reached);
        let alloc = self.arena.rel(self.symbols.alloc.now, &[a]);
        let body = self.arena.implies(alloc, reached);
        let kept = self.arena.forall(&vars[..1], body);
        self.push(kept);
    }

    /// The integer fields of which the order matters.
    fn keys(&self) -> Vec<FunId> {
        let keys = self.symbols.integers.iter().filter_map(|f| match f.now {
            Flag::Data(fun) => Some(fun),
            Flag::Truth(_) => None,
        });
        keys.filter(|fun| self.location.functions.contains(fun)).collect()
    }

    fn data(&mut self) {
        let mut known = Vec::new();
        for &fun in &self.location.constants {
            if self.vocabulary.fun(fun).result == self.symbols.data {
                known.push(self.arena.constant(fun));
            }
        }
        let mut fixed = Vec::new();
        for &fun in self.symbols.constants.values() {
            fixed.push(self.arena.constant(fun));
        }
        for key in self.keys() {
            for x in self.pointers.clone() {
                known.push(self.arena.app(key, &[x.term]));
            }
        }
        for &a in &known {
            for &b in known.iter().chain(&fixed) {
                if a != b {
                    let forth = self.arena.rel(self.symbols.at_most, &[a, b]);
                    self.push(forth);
                    let back = self.arena.rel(self.symbols.at_most, &[b, a]);
                    self.push(back);
                }
            }
        }
    }

    fn sorted(&mut self) {
        let (vars, [a, b]) = self.variables();
        for key in self.keys() {
            self.each_segment(|s, rel, x, y| {
                let parts = [
                    s.is_object(a),
                    s.is_object(b),
                    s.arena.rel(rel, &[x, a]),
                    s.arena.rel(rel, &[a, b]),
                    s.arena.rel(rel, &[b, y]),
                ];
                let ordered = s.arena.and(parts);
                let (ka, kb) = (s.arena.app(key, &[a]), s.arena.app(key, &[b]));
                let at_most = s.arena.rel(s.symbols.at_most, &[ka, kb]);
                let body = s.arena.implies(ordered, at_most);
                let sorted = s.arena.forall(&vars, body);
                s.push(sorted);
            });
        }
    }

    fn reverse(&mut self) {
        let (vars, [a, b]) = self.variables();
        for (_, back) in self.closures(false).into_iter().filter(|(f, _)| f.recursive) {
            self.each_segment(|s, rel, x, y| {
                if rel == back {
                    return;
                }
                let parts = [
                    s.is_object(a),
                    s.is_object(b),
                    s.arena.rel(rel, &[x, a]),
                    s.arena.rel(rel, &[a, y]),
                    s.arena.rel(rel, &[x, b]),
                    s.arena.rel(rel, &[b, y]),
                ];
                let inside = s.arena.and(parts);
                let (there, again) = (s.arena.rel(rel, &[a, b]), s.arena.rel(back, &[b, a]));
                let inverse = s.arena.iff(there, again);
                let body = s.arena.implies(inside, inverse);
                let reverse = s.arena.forall(&vars, body);
                s.push(reverse);
            });
        }
    }

    fn entry(&mut self) {
        if self.symbols.alloc.now != self.symbols.alloc.entry {
            self.of_each(self.symbols.alloc.entry);
        }
        self.reach(true);
    }

    /// A predicate of the user for all tuples of pointers that fit, null included.
    fn user(&mut self, predicate: &UserPredicate) {
        let mut tuples: Vec<Subst> = vec![Subst::new()];
        for &(var, spot) in &predicate.params {
            let fits = |p: &&Pointer| self.symbols.view.meet(p.spot, spot).is_some();
            let all = self.pointers.iter().chain([&self.null]);
            let values: Vec<TermId> = all.filter(fits).map(|p| p.term).collect();
            let longer = tuples.iter().flat_map(|tuple| {
                values.iter().map(move |&value| {
                    let mut tuple = tuple.clone();
                    tuple.insert(var, value);
                    tuple
                })
            });
            tuples = longer.collect();
        }
        for tuple in tuples {
            let formula = self.arena.subst(predicate.formula, &tuple);
            let opposite = self.arena.not(formula);
            let mut is_decidable =
                |f: FormulaId| fragment(self.arena, self.vocabulary, f).is_decidable();
            if is_decidable(formula) && is_decidable(opposite) {
                self.push(formula);
            }
        }
    }
}
