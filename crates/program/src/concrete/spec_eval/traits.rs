//! What a formula looks at, told without a state: which integers, which globals, whether the past.

use std::collections::BTreeSet;

use super::domains::places_in_type;
use crate::ir::{GlobalId, ProcId, Program, Reg};
use crate::spec::{
    Binder, BoundId, Derived, FieldRef, Formula, HolClause, HolMeaning, Label, PredId, Sort, Term,
};
use crate::types::{Scalar, TypeId, TypeTable};

/// What a formula looks at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Traits {
    /// It reads memory or globals of procedure entry, not only parameters.
    pub mentions_pre_memory: bool,
    /// It looks at all objects: a quantifier over pointers, or `ls`.
    pub has_pointer_quantifier: bool,
    /// The integer cells it reads: a type that a pointer points to, and the byte offset from there.
    pub ints_read: BTreeSet<(TypeId, u32)>,
    /// It reads integers of which it cannot be told where they lie: any may matter.
    pub reads_any_int: bool,
    /// The globals it reads, or takes the address of.
    pub globals_read: BTreeSet<GlobalId>,
}

impl Traits {
    /// Adds what another formula looks at.
    pub fn merge(&mut self, other: Traits) {
        self.mentions_pre_memory |= other.mentions_pre_memory;
        self.has_pointer_quantifier |= other.has_pointer_quantifier;
        self.ints_read.extend(other.ints_read);
        self.reads_any_int |= other.reads_any_int;
        self.globals_read.extend(other.globals_read);
    }

    /// Whether the integer at a byte offset in an element of type `object` may be read.
    pub fn reads_int(&self, types: &TypeTable, object: TypeId, offset: u32) -> bool {
        self.reads_any_int
            || self.ints_read.iter().any(|&(ty, inner)| {
                let mut hit = false;
                places_in_type(types, object, ty, 0, &mut |at| {
                    hit |= at as u32 + inner == offset;
                });
                hit
            })
    }
}

/// What a formula of `proc`'s contract or body looks at.
pub fn formula_traits(program: &Program, proc: ProcId, formula: &Formula) -> Traits {
    let mut walk = Walk {
        program,
        proc,
        label: Label::Here,
        bound: Vec::new(),
        entered: Vec::new(),
        traits: Traits::default(),
    };
    walk.formula(formula);
    walk.traits
}

/// Where a term points: into a thing of that type, so many bytes from its start.
type Target = (TypeId, i64);

struct Walk<'a> {
    program: &'a Program,
    proc: ProcId,
    label: Label,
    bound: Vec<(BoundId, Sort)>,
    /// Recursive predicates that were looked into, and of which state.
    entered: Vec<(PredId, Label)>,
    traits: Traits,
}

impl Walk<'_> {
    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Const(_) => {}
            Formula::Not(f) => self.formula(f),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| self.formula(f)),
            Formula::Implies(a, b) | Formula::Iff(a, b) => {
                self.formula(a);
                self.formula(b);
            }
            Formula::Cmp(_, a, b) | Formula::In(a, b) | Formula::Subset(a, b) => {
                self.term(a);
                self.term(b);
            }
            Formula::Forall(binders, body) | Formula::Exists(binders, body) => {
                self.quantifier(binders, body);
            }
            Formula::Reach { from, to, .. } => {
                self.read_memory();
                self.term(from);
                self.term(to);
            }
            Formula::Derived(d) => self.derived(d),
            Formula::Alloc(t) | Formula::Valid(t, _) => {
                self.read_memory();
                self.term(t);
            }
            Formula::Separated(ts) => ts.iter().for_each(|t| {
                self.term(t);
            }),
            Formula::Pred(id, args) => self.predicate(*id, args),
            Formula::Hol(clause, args) => self.hol(clause, args),
            Formula::At(label, f) => {
                let before = std::mem::replace(&mut self.label, *label);
                self.formula(f);
                self.label = before;
            }
        }
    }

    fn quantifier(&mut self, binders: &[Binder], body: &Formula) {
        let start = self.bound.len();
        for b in binders {
            self.traits.has_pointer_quantifier |= matches!(b.sort, Sort::Ptr(_));
            self.bound.push((b.id, b.sort));
        }
        self.formula(body);
        self.bound.truncate(start);
    }

    fn predicate(&mut self, id: PredId, args: &[Term]) {
        args.iter().for_each(|t| {
            self.term(t);
        });
        let predicate = &self.program.predicates[id.0 as usize];
        let Some(body) = &predicate.body else { return };
        // A recursive one uses itself; where it is used does not matter to what it looks at.
        if predicate.is_recursive {
            if self.entered.contains(&(id, self.label)) {
                return;
            }
            self.entered.push((id, self.label));
        }
        let params = predicate.params.iter().map(|p| (p.id, p.sort)).collect();
        let outer = std::mem::replace(&mut self.bound, params);
        self.formula(body);
        self.bound = outer;
    }

    /// A formula that looks at all objects, and at every field that it names.
    fn hol(&mut self, clause: &HolClause, args: &[Term]) {
        let looks_back = clause.formula.looks_back();
        let before = self.label;
        for label in [before, Label::Pre].into_iter().take(1 + usize::from(looks_back)) {
            self.label = label;
            self.read_memory();
            args.iter().for_each(|t| {
                self.term(t);
            });
        }
        self.label = before;
        self.traits.has_pointer_quantifier = true;
        for meaning in &clause.meanings {
            if let HolMeaning::Field(field) = meaning {
                self.read_key(field);
            }
        }
        let mut reads_elements = false;
        clause.formula.visit_all(&mut |t| {
            let element = matches!(t.kind, trellis_hol::Kind::Op(trellis_hol::Op::Element1, _));
            reads_elements |= element && t.ty != trellis_hol::Type::Obj;
        });
        self.traits.reads_any_int |= reads_elements;
    }

    fn derived(&mut self, d: &Derived) {
        self.read_memory();
        d.terms().into_iter().for_each(|t| {
            self.term(t);
        });
        match d {
            Derived::ListSegment(..) => self.traits.has_pointer_quantifier = true,
            Derived::Sorted(_, key, ..) => self.read_key(key),
            Derived::Stable(..)
            | Derived::Reverse(..)
            | Derived::Cyclic(..)
            | Derived::ReachOver(..)
            | Derived::Tree(..) => {}
        }
    }

    fn read_key(&mut self, key: &FieldRef) {
        if matches!(key.scalar, Scalar::Int(_)) {
            self.traits.ints_read.insert((key.owner, key.offset));
        }
    }

    fn read_memory(&mut self) {
        self.traits.mentions_pre_memory |= self.label == Label::Pre;
    }

    /// Walks a term; where it points, if it is a pointer and that can be told.
    fn term(&mut self, term: &Term) -> Option<Target> {
        let types = &self.program.types;
        match term {
            Term::Int(_) | Term::Null | Term::EmptySet => None,
            Term::Reg(r) => {
                self.register(*r);
                types.pointee(self.program.reg_type(self.proc, *r)).map(|t| (t, 0))
            }
            Term::Addr(r) => {
                if let Reg::Global(g) = r {
                    self.traits.globals_read.insert(*g);
                }
                Some((self.program.reg_type(self.proc, *r), 0))
            }
            Term::Bound(id) => {
                self.bound.iter().rev().find(|(b, _)| b == id).and_then(|(_, sort)| match sort {
                    Sort::Ptr(t) => Some((*t, 0)),
                    Sort::Int | Sort::Set(_) => None,
                })
            }
            Term::Result => types.pointee(self.program.proc(self.proc).ret).map(|t| (t, 0)),
            Term::Load { addr, scalar } => self.load(addr, *scalar),
            Term::Offset(t, bytes) => self.term(t).map(|(ty, at)| (ty, at + bytes)),
            Term::Index { base, index, size } => {
                self.term(index);
                let (ty, at) = self.term(base)?;
                // An element of an array that the pointer points to looks like the first one; one
                // of an array inside a record is not told apart from its neighbours.
                (types.size_of(ty) == Some(*size)).then_some((ty, at))
            }
            Term::Neg(t) | Term::Singleton(t) => {
                self.term(t);
                None
            }
            Term::Arith(_, a, b) | Term::SetOp(_, a, b) => {
                self.term(a);
                self.term(b);
                None
            }
            Term::Ite(c, a, b) => {
                self.formula(c);
                let (a, b) = (self.term(a), self.term(b));
                // Null points nowhere, so the other side tells.
                match (a, b) {
                    (Some(a), Some(b)) => (a == b).then_some(a),
                    (a, b) => a.or(b),
                }
            }
            Term::At(label, t) => {
                let before = std::mem::replace(&mut self.label, *label);
                let target = self.term(t);
                self.label = before;
                target
            }
            Term::Content(_, t) => {
                self.read_memory();
                self.term(t);
                None
            }
        }
    }

    fn register(&mut self, reg: Reg) {
        if let Reg::Global(g) = reg {
            self.traits.globals_read.insert(g);
            self.read_memory();
        }
    }

    fn load(&mut self, addr: &Term, scalar: Scalar) -> Option<Target> {
        let target = self.term(addr);
        if !self.is_scalar_parameter(addr) {
            self.read_memory();
        }
        match scalar {
            Scalar::Ptr(t) => Some((t, 0)),
            Scalar::Float(_) => None,
            Scalar::Int(_) | Scalar::Bits(_) => {
                match target.and_then(|(ty, at)| Some((ty, u32::try_from(at).ok()?))) {
                    Some(place) => {
                        self.traits.ints_read.insert(place);
                    }
                    None => self.traits.reads_any_int = true,
                }
                None
            }
        }
    }

    /// Whether this is the address of a scalar parameter, whose entry value is always kept.
    fn is_scalar_parameter(&self, addr: &Term) -> bool {
        let Term::Addr(Reg::Local(v)) = addr else {
            return false;
        };
        let proc = self.program.proc(self.proc);
        (v.0 as usize) < proc.params && self.program.types.scalar(proc.var(*v).ty).is_some()
    }
}
