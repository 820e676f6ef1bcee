//! The laws of the relations that stand for heaps: what every back end is told about reachability,
//! orders and memory. Which relation a pointer field is seen through is chosen above, by a heap
//! theory of `transys`; here a relation is known by its kind in the vocabulary.
//!
//! For lists without cycles that is its closure `R(x, y)`, a
//! partial order in which what x reaches is linear (*Property-Directed Shape Analysis*, Table 4),
//! with null as the end of every list: each x reaches null. So a load needs no case for null, and
//! storing null is a store like any other. For fields that may have cycles it is `B(x, y, z)`: z is
//! reached from x, and y lies on the shortest path, ends included. Of fields that nobody follows in
//! a row, a plain relation `S(x, y)` holds the single steps to what is not null; these may lead
//! anywhere.
//!
//! **Invariants**: axioms are universal and over relations only (EPR). A store is a quantifier-free
//! substitution, so axioms about the state after it are not needed: they follow. The models of the
//! axioms are exactly the closures of functions.

use trellis_logic::{
    Arena, Definitions, FormulaId, FunId, RelId, RelKind, SortId, TermId, VarId, Vocabulary,
};

#[cfg(test)]
#[path = "theory_tests.rs"]
mod tests;

/// The axioms of all relations of a vocabulary that the theory gives a meaning.
pub fn axioms(arena: &mut Arena, vocabulary: &Vocabulary) -> Vec<FormulaId> {
    vocabulary.rels().flat_map(|r| axioms_of(arena, vocabulary, r)).collect()
}

/// The axioms of one relation; none if it is a plain one.
pub fn axioms_of(arena: &mut Arena, vocabulary: &Vocabulary, rel: RelId) -> Vec<FormulaId> {
    let mut with = With::new(arena, vocabulary, rel);
    match vocabulary.rel(rel).kind {
        // What lies below a node depends on all of its fields: see `forest`.
        RelKind::Plain | RelKind::Below { .. } => Vec::new(),
        RelKind::Closure { .. } => with.closure(),
        RelKind::Between { field } => {
            let mut axioms = with.between();
            axioms.extend(vocabulary.closure_of(field).map(|closure| with.agrees_with(closure)));
            axioms
        }
        RelKind::Order => {
            let mut axioms = with.total_preorder();
            axioms.push(with.antisymmetric());
            axioms
        }
    }
}

/// The axioms of an order that different elements may share a place in, such as "the data of x is
/// at most that of y" on nodes: reflexive, transitive, total.
pub fn total_preorder(arena: &mut Arena, vocabulary: &Vocabulary, rel: RelId) -> Vec<FormulaId> {
    With::new(arena, vocabulary, rel).total_preorder()
}

/// The axioms of a plain relation that holds the single steps of a field: there is at most one from
/// each place, none from null, and none to it.
pub fn single_steps(arena: &mut Arena, vocabulary: &Vocabulary, rel: RelId) -> Vec<FormulaId> {
    With::new(arena, vocabulary, rel).single_steps()
}

/// `x->f == y` in terms of a closure (*Property-Directed Shape Analysis*, equation 2), the
/// betweenness or the single steps of the field. It has a universal quantifier, so it belongs where
/// that stays one.
///
/// Null has no successor in a closure and no single step; in a betweenness it is its own successor.
pub fn successor(
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    rel: RelId,
    x: TermId,
    y: TermId,
) -> FormulaId {
    let mut with = With::new(arena, vocabulary, rel);
    match vocabulary.rel(rel).kind {
        RelKind::Between { .. } => with.between_successor(x, y),
        RelKind::Plain | RelKind::Below { .. } => with.step(x, y),
        RelKind::Closure { .. } | RelKind::Order => with.closure_successor(x, y),
    }
}

/// The store `x->f = y` as a substitution for the field's closure, betweenness or single steps,
/// where x is not null.
///
/// In a closure it is right only if the store [`makes_cycle`] not: then the list is cut behind x,
/// and goes on with y (*Property-Directed Shape Analysis*, Table 5, both rules for stores in one).
pub fn store(
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    rel: RelId,
    x: TermId,
    y: TermId,
) -> Definitions {
    let mut with = With::new(arena, vocabulary, rel);
    let (params, body) = match vocabulary.rel(rel).kind {
        RelKind::Between { .. } => with.between_store(x, y),
        RelKind::Plain | RelKind::Below { .. } => with.step_store(x, y),
        RelKind::Closure { .. } | RelKind::Order => with.closure_store(x, y),
    };
    let mut definitions = Definitions::new();
    definitions.define_rel(rel, &params, body);
    definitions
}

/// Whether the store `x->f = y` closes a cycle.
pub fn makes_cycle(
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    rel: RelId,
    x: TermId,
    y: TermId,
) -> FormulaId {
    With::new(arena, vocabulary, rel).reaches(y, x)
}

/// What is true of the node that an allocation returns: it is not null and was not allocated.
pub fn fresh(arena: &mut Arena, vocabulary: &Vocabulary, alloc: RelId, node: TermId) -> FormulaId {
    let with = With::new(arena, vocabulary, alloc);
    let mut parts = Vec::new();
    if let Some(null) = with.null {
        parts.push(with.arena.ne(node, null));
    }
    let allocated = with.arena.rel(alloc, &[node]);
    parts.push(with.arena.not(allocated));
    with.arena.and(parts)
}

/// The allocation of a node as a substitution for `alloc`.
pub fn allocate(
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    alloc: RelId,
    node: TermId,
) -> Definitions {
    change_alloc(arena, vocabulary, alloc, node, true)
}

/// The release of a node as a substitution for `alloc`.
pub fn free(arena: &mut Arena, vocabulary: &Vocabulary, alloc: RelId, node: TermId) -> Definitions {
    change_alloc(arena, vocabulary, alloc, node, false)
}

fn change_alloc(
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    alloc: RelId,
    node: TermId,
    value: bool,
) -> Definitions {
    let with = With::new(arena, vocabulary, alloc);
    let (var, arena) = (with.vars[0], with.arena);
    let any = arena.var_term(var);
    let (before, here) = (arena.rel(alloc, &[any]), arena.eq(any, node));
    let body = match value {
        true => arena.or([before, here]),
        false => {
            let elsewhere = arena.not(here);
            arena.and([before, elsewhere])
        }
    };
    let mut definitions = Definitions::new();
    definitions.define_rel(alloc, &[var], body);
    definitions
}

/// A relation, and variables to speak about it.
struct With<'a> {
    arena: &'a mut Arena,
    rel: RelId,
    /// Whether the relation is a betweenness.
    between: bool,
    null: Option<TermId>,
    /// Four variables whose names no program has.
    vars: [VarId; 4],
    terms: [TermId; 4],
}

impl<'a> With<'a> {
    fn new(arena: &'a mut Arena, vocabulary: &Vocabulary, rel: RelId) -> Self {
        let declared = vocabulary.rel(rel);
        let sort = declared.args.first().copied().unwrap_or(SortId::INT);
        let null = vocabulary.null_of(sort).map(|n: FunId| arena.constant(n));
        let vars = ["$x", "$y", "$z", "$u"].map(|name| arena.variable(name, sort));
        let terms = vars.map(|v| arena.var_term(v));
        let between = matches!(declared.kind, RelKind::Between { .. });
        With { arena, rel, between, null, vars, terms }
    }

    fn reaches(&mut self, x: TermId, y: TermId) -> FormulaId {
        match self.between {
            true => self.arena.rel(self.rel, &[x, y, y]),
            false => self.arena.rel(self.rel, &[x, y]),
        }
    }

    fn forall(&mut self, count: usize, body: FormulaId) -> FormulaId {
        self.arena.forall(&self.vars[..count], body)
    }

    /// `if all of these then one of those`, for all of the first variables.
    fn rule(&mut self, count: usize, premises: &[FormulaId], one_of: &[FormulaId]) -> FormulaId {
        let premise = self.arena.and(premises.iter().copied());
        let conclusion = self.arena.or(one_of.iter().copied());
        let body = self.arena.implies(premise, conclusion);
        self.forall(count, body)
    }

    fn reflexive(&mut self) -> FormulaId {
        let [x, ..] = self.terms;
        let body = self.reaches(x, x);
        self.forall(1, body)
    }

    fn transitive(&mut self) -> FormulaId {
        let [x, y, z, _] = self.terms;
        let (xy, yz, xz) = (self.reaches(x, y), self.reaches(y, z), self.reaches(x, z));
        self.rule(3, &[xy, yz], &[xz])
    }

    fn antisymmetric(&mut self) -> FormulaId {
        let [x, y, ..] = self.terms;
        let (xy, yx, same) = (self.reaches(x, y), self.reaches(y, x), self.arena.eq(x, y));
        self.rule(2, &[xy, yx], &[same])
    }

    fn total_preorder(&mut self) -> Vec<FormulaId> {
        let [x, y, ..] = self.terms;
        let (xy, yx) = (self.reaches(x, y), self.reaches(y, x));
        let total = self.rule(2, &[], &[xy, yx]);
        vec![self.reflexive(), self.transitive(), total]
    }

    fn null_reaches_null(&mut self, null: TermId) -> FormulaId {
        let [x, ..] = self.terms;
        let (reached, same) = (self.reaches(null, x), self.arena.eq(x, null));
        self.rule(1, &[reached], &[same])
    }

    fn closure(&mut self) -> Vec<FormulaId> {
        let [x, y, z, _] = self.terms;
        let (xy, xz) = (self.reaches(x, y), self.reaches(x, z));
        let (yz, zy) = (self.reaches(y, z), self.reaches(z, y));
        let linear = self.rule(3, &[xy, xz], &[yz, zy]);
        let mut axioms = vec![self.reflexive(), self.transitive(), self.antisymmetric(), linear];
        if let Some(null) = self.null {
            let end = self.reaches(x, null);
            axioms.push(self.forall(1, end));
            axioms.push(self.null_reaches_null(null));
        }
        axioms
    }

    fn single_steps(&mut self) -> Vec<FormulaId> {
        let [x, y, z, _] = self.terms;
        let (xy, xz) = (self.reaches(x, y), self.reaches(x, z));
        let same = self.arena.eq(y, z);
        let mut axioms = vec![self.rule(3, &[xy, xz], &[same])];
        if let Some(null) = self.null {
            let (from, to) = (self.reaches(null, x), self.reaches(x, null));
            axioms.push(self.rule(1, &[from], &[]));
            axioms.push(self.rule(1, &[to], &[]));
        }
        axioms
    }

    /// A step to null is one to nothing.
    fn step(&mut self, x: TermId, y: TermId) -> FormulaId {
        let z = self.terms[2];
        let (there, leads) = (self.reaches(x, y), self.reaches(x, z));
        let Some(null) = self.null else { return there };
        let nowhere = self.arena.not(leads);
        let nowhere = self.arena.forall(&[self.vars[2]], nowhere);
        let (from, end) = (self.arena.ne(x, null), self.arena.eq(y, null));
        let ends = self.arena.and([from, end, nowhere]);
        self.arena.or([there, ends])
    }

    fn step_store(&mut self, x: TermId, y: TermId) -> (Vec<VarId>, FormulaId) {
        let [a, b, ..] = self.terms;
        let (here, new, kept) = (self.arena.eq(a, x), self.arena.eq(b, y), self.reaches(a, b));
        let mut changed = vec![here, new];
        changed.extend(self.null.map(|null| self.arena.ne(b, null)));
        let (changed, elsewhere) = (self.arena.and(changed), self.arena.not(here));
        let kept = self.arena.and([elsewhere, kept]);
        (self.vars[..2].to_vec(), self.arena.or([changed, kept]))
    }

    fn closure_successor(&mut self, x: TermId, y: TermId) -> FormulaId {
        let z = self.terms[2];
        let (reached, apart) = (self.reaches(x, y), self.arena.ne(x, y));
        let (further, away, first) = (self.reaches(x, z), self.arena.ne(z, x), self.reaches(y, z));
        let premise = self.arena.and([further, away]);
        let rule = self.arena.implies(premise, first);
        let closest = self.arena.forall(&[self.vars[2]], rule);
        self.arena.and([reached, apart, closest])
    }

    fn closure_store(&mut self, x: TermId, y: TermId) -> (Vec<VarId>, FormulaId) {
        let [a, b, ..] = self.terms;
        let (ab, ax, bx) = (self.reaches(a, b), self.reaches(a, x), self.reaches(b, x));
        let before = self.arena.implies(ax, bx);
        let kept = self.arena.and([ab, before]);
        let yb = self.reaches(y, b);
        let new = self.arena.and([ax, yb]);
        (self.vars[..2].to_vec(), self.arena.or([kept, new]))
    }
}

/// Fields that may have cycles.
impl With<'_> {
    fn on_path(&mut self, x: TermId, y: TermId, z: TermId) -> FormulaId {
        self.arena.rel(self.rel, &[x, y, z])
    }

    /// x reaches y without passing u.
    fn avoiding(&mut self, x: TermId, y: TermId, u: TermId) -> FormulaId {
        let (before, reached) = (self.on_path(x, y, u), self.reaches(x, y));
        let meets = self.reaches(x, u);
        let never = self.arena.not(meets);
        let without = self.arena.and([reached, never]);
        self.arena.or([before, without])
    }

    fn between(&mut self) -> Vec<FormulaId> {
        let [x, y, z, u] = self.terms;
        let back = self.on_path(x, y, x);
        let same = self.arena.eq(x, y);
        let alone = self.rule(2, &[back], &[same]);
        let (xy, xz, yz) = (self.reaches(x, y), self.reaches(x, z), self.reaches(y, z));
        let (xyz, xzy) = (self.on_path(x, y, z), self.on_path(x, z, y));
        let linear = self.rule(3, &[xy, xz], &[xyz, xzy]);
        let ends = self.arena.and([xy, yz]);
        let reached = self.rule(3, &[xyz], &[ends]);
        let (yuz, xyu, xuz) = (self.on_path(y, u, z), self.on_path(x, y, u), self.on_path(x, u, z));
        let later = self.arena.and([xyu, xuz]);
        let later = self.rule(4, &[xyz, yuz], &[later]);
        let (xuy, uyz) = (self.on_path(x, u, y), self.on_path(u, y, z));
        let earlier = self.arena.and([xuz, uyz]);
        let earlier = self.rule(4, &[xyz, xuy], &[earlier]);
        let mut axioms =
            vec![self.reflexive(), alone, linear, reached, self.transitive(), later, earlier];
        if let Some(null) = self.null {
            axioms.push(self.null_reaches_null(null));
        }
        axioms
    }

    fn agrees_with(&mut self, closure: RelId) -> FormulaId {
        let [x, y, ..] = self.terms;
        let (binary, ternary) = (self.arena.rel(closure, &[x, y]), self.reaches(x, y));
        let body = self.arena.iff(binary, ternary);
        self.forall(2, body)
    }

    fn between_successor(&mut self, x: TermId, y: TermId) -> FormulaId {
        let z = self.terms[2];
        let (apart, reached) = (self.arena.ne(x, y), self.reaches(x, y));
        let (further, away, first) =
            (self.reaches(x, z), self.arena.ne(z, x), self.on_path(x, y, z));
        let premise = self.arena.and([further, away]);
        let rule = self.arena.implies(premise, first);
        let closest = self.arena.forall(&[self.vars[2]], rule);
        let step = self.arena.and([apart, reached, closest]);
        let here = self.arena.not(away);
        let alone = self.arena.implies(further, here);
        let alone = self.arena.forall(&[self.vars[2]], alone);
        let same = self.arena.not(apart);
        let stay = self.arena.and([same, alone]);
        self.arena.or([step, stay])
    }

    /// The path from x to z is as before if it does not pass u; else it goes to u, and from v on.
    fn between_store(&mut self, u: TermId, v: TermId) -> (Vec<VarId>, FormulaId) {
        let [x, y, z, _] = self.terms;
        let (old, untouched) = (self.on_path(x, y, z), self.avoiding(x, z, u));
        let kept = self.arena.and([old, untouched]);
        let apart = self.arena.ne(u, z);
        let (to_u, from_v) = (self.avoiding(x, u, z), self.avoiding(v, z, u));
        let (first, second) = (self.on_path(x, y, u), self.on_path(v, y, z));
        let either = self.arena.or([first, second]);
        let new = self.arena.and([apart, to_u, from_v, either]);
        (self.vars[..3].to_vec(), self.arena.or([kept, new]))
    }
}
