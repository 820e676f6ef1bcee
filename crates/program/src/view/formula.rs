//! Contract formulas in the logic.

use trellis_logic::{Arena, FormulaId, RelId, TermId, VarId};

use super::Untranslatable;
use super::exact::Exact;
use super::sets::SetTerm;
use super::spots::{Spot, places};
use super::terms::{Link, Pointer, Val, no};
use super::vocabulary::ProgramVocabulary;
use crate::ir::CmpOp;
use crate::spec::{Binder, BoundId, Formula, Label, PredId, Sort, Term};
use crate::types::TypeId;

/// A contract formula of the vocabulary's procedure as a formula of the logic.
pub fn formula(
    vocabulary: &ProgramVocabulary,
    arena: &mut Arena,
    formula: &Formula,
) -> Result<FormulaId, Untranslatable> {
    let mut translator = Translator {
        exact: Exact { arena, vocabulary },
        view: Label::Here,
        bound: Vec::new(),
        scope: 0,
        vars: Vec::new(),
    };
    translator.formula(formula)
}

/// How the names of variables begin that definitions bring; no formula has such a name.
const OVER_ALL: &str = "%";

/// Whether a quantified variable of the view, by its name, ranges over all that pointers may lead to.
///
/// Variables of users range over null, what is allocated, and what was at the entry. That leaves out
/// memory that was allocated and freed since then, to which pointers may still lead: what `stable`,
/// `sorted` and equality of sets say is about it as well.
pub fn ranges_over_all(name: &str) -> bool {
    name.starts_with(OVER_ALL)
}

/// What a bound variable or a parameter of a predicate stands for.
#[derive(Clone)]
pub(super) enum Meaning {
    Int(TermId),
    Ptr(Pointer),
    Set(SetTerm),
}

/// One translation.
///
/// **Invariant.** `bound[scope..]` are the variables in scope; `vars` are the logic's variables that
/// may be free in what `bound` holds, so a new one differs from them all and captures nothing.
pub(super) struct Translator<'a> {
    pub(super) exact: Exact<'a>,
    pub(super) view: Label,
    pub(super) bound: Vec<(BoundId, Meaning)>,
    pub(super) scope: usize,
    pub(super) vars: Vec<VarId>,
}

impl<'a> Translator<'a> {
    pub(super) fn at<T>(&mut self, label: Label, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.view, label);
        let value = f(self);
        self.view = before;
        value
    }

    pub(super) fn formula(&mut self, f: &'a Formula) -> Result<FormulaId, Untranslatable> {
        match f {
            Formula::Const(true) => Ok(FormulaId::TRUE),
            Formula::Const(false) => Ok(FormulaId::FALSE),
            Formula::Not(f) => {
                let f = self.formula(f)?;
                Ok(self.exact.arena.not(f))
            }
            Formula::And(fs) => {
                let parts = fs.iter().map(|f| self.formula(f)).collect::<Result<_, _>>()?;
                Ok(self.exact.and(parts))
            }
            Formula::Or(fs) => {
                let parts = fs.iter().map(|f| self.formula(f)).collect::<Result<_, _>>()?;
                Ok(self.exact.or(parts))
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                Ok(self.exact.implies(a, b))
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                Ok(self.exact.iff(a, b))
            }
            Formula::Cmp(op, a, b) => self.compare(*op, a, b),
            Formula::In(x, s) => self.is_in(x, s),
            Formula::Subset(a, b) => self.subset(a, b),
            Formula::Forall(binders, body) => self.quantified(binders, body, true),
            Formula::Exists(binders, body) => self.quantified(binders, body, false),
            Formula::Reach { field, strict, from, to } => {
                let (link, place) = self.link(field)?;
                let (from, to) = (self.linked(from, place)?, self.linked(to, place)?);
                match strict {
                    false => Ok(self.exact.arena.rel(link.closure, &[from, to])),
                    true => Ok(self.reach1(link, from, to)),
                }
            }
            Formula::Derived(d) => self.derived(d),
            Formula::Alloc(t) => self.allocated(t, 1),
            Formula::Valid(t, bytes) => self.allocated(t, *bytes),
            Formula::Separated(ts) => self.separated(ts),
            Formula::Pred(id, args) => self.predicate(*id, args),
            Formula::Hol(..) => no("a formula of higher-order logic"),
            Formula::At(label, f) => self.at(*label, |s| s.formula(f)),
        }
    }

    fn compare(
        &mut self,
        op: CmpOp,
        a: &'a Term,
        b: &'a Term,
    ) -> Result<FormulaId, Untranslatable> {
        if self.is_set(a) || self.is_set(b) {
            let equal = self.equal_sets(a, b)?;
            return match op {
                CmpOp::Eq => Ok(equal),
                CmpOp::Ne => Ok(self.exact.arena.not(equal)),
                _ => no("sets are not ordered"),
            };
        }
        let pointers =
            matches!(self.value(a)?, Val::Ptr(_)) || matches!(self.value(b)?, Val::Ptr(_));
        if pointers {
            let (a, b) = (self.pointer(a)?, self.pointer(b)?);
            if self.exact.vocabulary.meet(a.spot, b.spot).is_none() {
                return no("pointers to different places of an object compared");
            }
            return match op {
                CmpOp::Eq => Ok(self.exact.eq(a.term, b.term)),
                CmpOp::Ne => Ok(self.exact.ne(a.term, b.term)),
                _ => no("pointers are not ordered"),
            };
        }
        let (a, b) = (self.int(a)?, self.int(b)?);
        Ok(match op {
            CmpOp::Eq => self.exact.eq(a, b),
            CmpOp::Ne => self.exact.ne(a, b),
            CmpOp::Lt => self.exact.lt(a, b),
            CmpOp::Le => self.exact.le(a, b),
            CmpOp::Gt => self.exact.lt(b, a),
            CmpOp::Ge => self.exact.le(b, a),
        })
    }

    fn quantified(
        &mut self,
        binders: &'a [Binder],
        body: &'a Formula,
        universal: bool,
    ) -> Result<FormulaId, Untranslatable> {
        let (outer, free) = (self.bound.len(), self.vars.len());
        let mut guards = Vec::new();
        for binder in binders {
            match binder.sort {
                Sort::Int => {
                    let (_, term) = self.fresh(&binder.name, trellis_logic::SortId::INT);
                    self.bound.push((binder.id, Meaning::Int(term)));
                }
                Sort::Ptr(_) if ranges_over_all(&binder.name) => {
                    return no("a quantified variable whose name begins with `%`");
                }
                Sort::Ptr(ty) => {
                    let spot = self.exact.vocabulary.pointee(ty)?;
                    // Over anything: all objects are elements where pointers may lead to any.
                    let vocabulary = self.exact.vocabulary;
                    let anything = vocabulary.void == Some(ty) && vocabulary.loose;
                    if spot == Spot::Start && !anything {
                        return no("a quantifier over pointers to something that is not a struct");
                    }
                    let (_, term) = self.fresh(&binder.name, self.exact.vocabulary.obj);
                    if spot != Spot::Start {
                        guards.extend(self.range(ty, term));
                    }
                    self.bound.push((binder.id, Meaning::Ptr(Pointer { term, spot })));
                }
                Sort::Set(_) => return no("a quantifier over sets"),
            }
        }
        let body = self.formula(body);
        self.bound.truncate(outer);
        let vars = self.vars.split_off(free);
        let body = body?;
        if universal {
            let guard = self.exact.and(guards);
            let body = self.exact.implies(guard, body);
            return Ok(self.exact.arena.forall(&vars, body));
        }
        guards.push(body);
        let body = self.exact.and(guards);
        Ok(self.exact.arena.exists(&vars, body))
    }

    /// A variable that is not free in anything in scope; it stays in `vars` until its binder does.
    pub(super) fn fresh(&mut self, name: &str, sort: trellis_logic::SortId) -> (VarId, TermId) {
        let var = self.exact.arena.variable(name, sort);
        let var = self.exact.arena.variant(var, &self.vars);
        self.vars.push(var);
        (var, self.exact.arena.var_term(var))
    }

    /// A variable of a definition, which ranges over all that pointers may lead to; see
    /// [`ranges_over_all`].
    pub(super) fn reached(&mut self, name: &str) -> (VarId, TermId) {
        self.fresh(&format!("{OVER_ALL}{name}"), self.exact.vocabulary.obj)
    }

    /// What keeps a variable to null and the objects in which a `ty` lies; nothing if all are.
    fn range(&mut self, ty: TypeId, term: TermId) -> Option<FormulaId> {
        let vocabulary = self.exact.vocabulary;
        let inside = |outer: &TypeId| vocabulary.embeds(*outer, ty);
        if vocabulary.types.is_empty()
            || (!vocabulary.loose && vocabulary.used.roots.iter().all(inside))
        {
            return None;
        }
        let null = self.null().term;
        let mut parts = vec![self.exact.eq(term, null)];
        for (root, rel) in &vocabulary.types {
            if inside(root) {
                parts.push(self.exact.arena.rel(*rel, &[term]));
            }
        }
        Some(self.exact.or(parts))
    }

    /// That an object of a family has one of the types that `keep` keeps; true if all do.
    pub(super) fn has_type(
        &mut self,
        family: usize,
        term: TermId,
        keep: impl Fn(&super::spots::Root) -> bool,
    ) -> FormulaId {
        let vocabulary = self.exact.vocabulary;
        let roots = &vocabulary.spots.families[family].roots;
        if roots.iter().all(&keep) {
            return FormulaId::TRUE;
        }
        let kept = roots.iter().filter(|r| keep(r)).filter_map(|r| vocabulary.types.get(&r.ty));
        let parts = kept.map(|rel| self.exact.arena.rel(*rel, &[term])).collect();
        self.exact.or(parts)
    }

    fn allocated(&mut self, t: &'a Term, bytes: u32) -> Result<FormulaId, Untranslatable> {
        let p = self.pointer(t)?;
        if p.spot == Spot::Start && bytes > 1 {
            return no("the size of an object of unknown type");
        }
        Ok(self.in_memory(p, bytes))
    }

    /// That so many bytes from a pointer lie in an allocated object.
    pub(super) fn in_memory(&mut self, p: Pointer, bytes: u32) -> FormulaId {
        let inside = match p.spot {
            Spot::Null | Spot::Start => FormulaId::TRUE,
            Spot::At { family, at } => self.has_type(family, p.term, |root| {
                let start = at - root.position;
                start >= 0 && start + i64::from(bytes.max(1)) <= i64::from(root.size)
            }),
        };
        if inside == FormulaId::FALSE {
            let defined = self.exact.defined(p.term);
            return self.exact.arena.not(defined);
        }
        let alloc = self.exact.vocabulary.alloc.at(self.view);
        let alloc = self.exact.arena.rel(alloc, &[p.term]);
        self.exact.and(vec![alloc, inside])
    }

    fn separated(&mut self, ts: &'a [Term]) -> Result<FormulaId, Untranslatable> {
        let terms: Vec<TermId> =
            ts.iter().map(|t| Ok(self.pointer(t)?.term)).collect::<Result<_, Untranslatable>>()?;
        let null = self.null().term;
        let mut pairs = Vec::new();
        for (i, &a) in terms.iter().enumerate() {
            for &b in &terms[..i] {
                let parts =
                    vec![self.exact.eq(b, null), self.exact.eq(a, null), self.exact.ne(b, a)];
                pairs.push(self.exact.or(parts));
            }
        }
        Ok(self.exact.and(pairs))
    }

    fn predicate(&mut self, id: PredId, args: &'a [Term]) -> Result<FormulaId, Untranslatable> {
        let vocabulary = self.exact.vocabulary;
        let predicate = &vocabulary.predicates[id.0 as usize];
        let Some(body) = &predicate.body else {
            return self.mark(vocabulary.mark(id), args);
        };
        if predicate.is_recursive {
            return no("a recursive predicate");
        }
        let mut bound = Vec::new();
        for (param, arg) in predicate.params.iter().zip(args) {
            let meaning = match param.sort {
                Sort::Set(_) => Meaning::Set(self.set(arg)?),
                Sort::Ptr(ty) => {
                    let mut arg = self.pointer(arg)?;
                    // The body may follow it, if only where it is not null.
                    if arg.spot == Spot::Null {
                        arg.spot = vocabulary.pointee(ty)?;
                    }
                    Meaning::Ptr(arg)
                }
                Sort::Int => Meaning::Int(self.int(arg)?),
            };
            bound.push((param.id, meaning));
        }
        let start = self.bound.len();
        self.bound.extend(bound);
        let outer = std::mem::replace(&mut self.scope, start);
        let body = self.formula(body);
        self.scope = outer;
        self.bound.truncate(start);
        body
    }

    /// An uninterpreted predicate: of null it is false, of anything else it is what it is.
    fn mark(&mut self, rel: Option<RelId>, args: &'a [Term]) -> Result<FormulaId, Untranslatable> {
        let (Some(rel), [arg]) = (rel, args) else {
            return no("an uninterpreted predicate that is not about one pointer");
        };
        let p = self.pointer(arg)?;
        Ok(self.exact.arena.rel(rel, &[p.term]))
    }

    /// One or more steps: on a cycle the closure does not tell these from none.
    pub(super) fn reach1(&mut self, link: Link<'a>, from: TermId, to: TermId) -> FormulaId {
        let null = self.null().term;
        let reach = self.exact.arena.rel(link.closure, &[from, to]);
        if to == null {
            let parts = vec![self.exact.ne(from, null), reach];
            return self.exact.and(parts);
        }
        let cycle = self.cycle(link, from);
        if from == to {
            return cycle;
        }
        let different = vec![self.exact.ne(from, to), reach];
        let same = vec![self.exact.eq(from, to), cycle];
        let parts = vec![self.exact.and(different), self.exact.and(same)];
        self.exact.or(parts)
    }

    /// That a place lies on a cycle.
    pub(super) fn cycle(&mut self, link: Link<'a>, x: TermId) -> FormulaId {
        let alloc = self.exact.vocabulary.alloc.at(self.view);
        let next = self.exact.arena.app(link.symbol.fun.at(self.view), &[x]);
        let family = match link.symbol.kind {
            super::vocabulary::Kind::Ptr(Spot::At { family, .. }) => family,
            _ => return FormulaId::FALSE,
        };
        let roots = &link.symbol.roots;
        let parts = vec![
            self.exact.arena.rel(alloc, &[x]),
            self.has_type(family, x, |r| roots.contains(&r.ty)),
            self.exact.arena.rel(link.closure, &[next, x]),
        ];
        self.exact.and(parts)
    }
}

impl ProgramVocabulary {
    /// Whether a `ty` lies in every object of type `outer`.
    fn embeds(&self, outer: TypeId, ty: TypeId) -> bool {
        self.embedded.contains(&(outer, ty))
    }
}

/// All pairs of types where the second lies in the first.
pub(super) fn embedded(
    types: &crate::types::TypeTable,
    used: &super::in_use::InUse,
) -> std::collections::BTreeSet<(TypeId, TypeId)> {
    let mut pairs = std::collections::BTreeSet::new();
    for &outer in &used.roots {
        for &inner in &used.targets {
            places(types, outer, inner, 0, &mut |_| {
                pairs.insert((outer, inner));
            });
        }
    }
    pairs
}
