//! Contract formulas as closed formulas about predicates.
//!
//! Understood: comparison of pointers, `x->n`, `reach`, `reach1`, `cyclic`, `alloc`, `\valid`, the
//! connectives, and predicates of the user that are defined with these. Everything else has no
//! translation, and the caller reports the clause as not supported.
//!
//! **Contract**: where the translation is true (false) in a definite structure, the formula is true
//! (false) in the heap. What is undefined, such as a field of null, is `Maybe`.

use std::collections::BTreeMap;

use trellis_logic::kleene::{Formula, Kleene, Var};
use trellis_program::spec::{self, BoundId, Derived, FieldRef, Label, Predicate, Term};
use trellis_program::{CmpOp, Reg, VarId};

use crate::core::{B, Core, V, VarIndex};
use crate::predicates::Instrumentation;

/// What a pointer of the program is called.
pub trait Names {
    /// The variable that holds a local now.
    fn local(&self, var: VarId) -> Option<VarIndex>;
    /// The variable that holds a parameter's value at entry.
    fn entry(&self, var: VarId) -> Option<VarIndex>;
    /// The variable that holds the result.
    fn result(&self) -> Option<VarIndex>;
    /// Byte offset of the list field.
    fn offset(&self) -> i64;
    /// Whether a field is the list field.
    fn is_list_field(&self, field: &FieldRef) -> bool;
    /// Bytes of a node.
    fn node_bytes(&self) -> u32;
}

/// In which state variables are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// As they are: assertions.
    Now,
    /// Parameters as they were passed: `ensures`.
    AtReturn,
}

/// A translated formula.
#[derive(Clone, Debug)]
pub struct Translated {
    /// What must hold.
    pub formula: Formula,
    /// What should be definite before.
    pub focus: Vec<(usize, Formula)>,
}

/// What names mean where a formula stands.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The variables.
    pub names: &'a dyn Names,
    /// The predicates of the user.
    pub predicates: &'a [Predicate],
    /// In which state variables are read.
    pub view: View,
}

/// Translates a contract formula; the error says what has no translation.
pub fn translate(
    formula: &spec::Formula,
    scope: Scope<'_>,
    core: &Core,
    instrumentation: &dyn Instrumentation,
) -> Result<Translated> {
    let bound = BTreeMap::new();
    let mut translator = Translator { scope, bound, core, instrumentation, focus: Vec::new() };
    let formula = translator.formula(formula)?;
    Ok(Translated { formula, focus: translator.focus })
}

/// A pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pointer {
    Null,
    Var(VarIndex),
    Next(VarIndex),
}

struct Translator<'a> {
    scope: Scope<'a>,
    /// The parameters of the predicates whose definitions are being translated.
    bound: BTreeMap<BoundId, Pointer>,
    core: &'a Core,
    instrumentation: &'a dyn Instrumentation,
    focus: Vec<(usize, Formula)>,
}

type Result<T> = std::result::Result<T, String>;

impl Translator<'_> {
    fn formula(&mut self, formula: &spec::Formula) -> Result<Formula> {
        match formula {
            spec::Formula::Const(value) => Ok(Formula::Const((*value).into())),
            spec::Formula::Not(f) => Ok(self.formula(f)?.not()),
            spec::Formula::And(fs) => Ok(Formula::and(self.formulas(fs)?)),
            spec::Formula::Or(fs) => Ok(Formula::or(self.formulas(fs)?)),
            spec::Formula::Implies(a, b) => {
                Ok(Formula::or([self.formula(a)?.not(), self.formula(b)?]))
            }
            spec::Formula::Iff(a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                let both = Formula::and([a.clone(), b.clone()]);
                Ok(Formula::or([both, Formula::and([a.not(), b.not()])]))
            }
            spec::Formula::Cmp(op @ (CmpOp::Eq | CmpOp::Ne), a, b) => {
                let (a, b) = (self.pointer(a)?, self.pointer(b)?);
                let equal = self.equal(a, b);
                Ok(self.where_defined(&[a, b], if *op == CmpOp::Eq { equal } else { equal.not() }))
            }
            spec::Formula::Reach { field, strict, from, to } => {
                self.follows(field)?;
                let (from, to) = (self.pointer(from)?, self.pointer(to)?);
                self.reach(from, to, *strict)
            }
            spec::Formula::Derived(derived) => match &**derived {
                Derived::Cyclic(field, x) => {
                    self.follows(field)?;
                    let x = self.pointer(x)?;
                    self.reach(x, x, true)
                }
                Derived::ListSegment(..)
                | Derived::Stable(..)
                | Derived::Reverse(..)
                | Derived::Sorted(..) => Err("a predicate other than reach and cyclic".into()),
            },
            spec::Formula::Valid(_, bytes) if *bytes > self.scope.names.node_bytes() => {
                Err("\\valid of more than a node".into())
            }
            spec::Formula::Alloc(t) | spec::Formula::Valid(t, _) => match self.pointer(t)? {
                Pointer::Null => Ok(Formula::Const(Kleene::False)),
                Pointer::Var(x) => {
                    Ok(self.core.at(x, |u| Formula::atom(self.core.freed, &[u]).not()))
                }
                Pointer::Next(_) => Err("a predicate of a field".into()),
            },
            spec::Formula::At(Label::Here, f) => self.formula(f),
            spec::Formula::At(Label::Pre, _) => Err("a formula about the heap at entry".into()),
            spec::Formula::Forall(..) | spec::Formula::Exists(..) => Err("a quantifier".into()),
            spec::Formula::Cmp(..) => Err("a comparison of integers".into()),
            spec::Formula::In(..) | spec::Formula::Subset(..) => Err("a set".into()),
            spec::Formula::Separated(_) => Err("\\separated".into()),
            spec::Formula::Pred(id, args) => self.predicate(*id, args),
        }
    }

    /// The definition of a predicate of the user, about other pointers.
    fn predicate(&mut self, id: spec::PredId, args: &[Term]) -> Result<Formula> {
        let predicates = self.scope.predicates;
        let Some(predicate) = predicates.get(id.0 as usize) else {
            return Err("a predicate that is not declared".into());
        };
        let Some(body) = &predicate.body else {
            return Err("a predicate without a definition".into());
        };
        let args = args.iter().map(|a| self.pointer(a)).collect::<Result<Vec<_>>>()?;
        let inner = predicate.params.iter().map(|p| p.id).zip(args).collect();
        let outer = std::mem::replace(&mut self.bound, inner);
        let formula = self.formula(body);
        self.bound = outer;
        formula
    }

    /// A field must be the one of the list.
    fn follows(&self, field: &FieldRef) -> Result<()> {
        match self.scope.names.is_list_field(field) {
            true => Ok(()),
            false => Err(format!("the field `{}` beside the list's", field.name)),
        }
    }

    fn formulas(&mut self, formulas: &[spec::Formula]) -> Result<Vec<Formula>> {
        formulas.iter().map(|f| self.formula(f)).collect()
    }

    fn pointer(&mut self, term: &Term) -> Result<Pointer> {
        let unknown = || "a term that is no pointer variable".to_string();
        match term {
            Term::Null => Ok(Pointer::Null),
            Term::Bound(id) => self.bound.get(id).copied().ok_or_else(unknown),
            Term::Result => self.scope.names.result().map(Pointer::Var).ok_or_else(unknown),
            Term::Reg(Reg::Local(v)) => {
                let entry =
                    self.scope.names.entry(*v).filter(|_| self.scope.view == View::AtReturn);
                entry.or_else(|| self.scope.names.local(*v)).map(Pointer::Var).ok_or_else(unknown)
            }
            Term::At(Label::Pre, t) => match &**t {
                Term::Reg(Reg::Local(v)) => {
                    self.scope.names.entry(*v).map(Pointer::Var).ok_or_else(unknown)
                }
                _ => Err("a term about the heap at entry".into()),
            },
            Term::At(Label::Here, t) => self.pointer(t),
            Term::Load { addr, scalar } if scalar.is_ptr() => {
                let (base, offset) = match &**addr {
                    Term::Offset(base, offset) => (&**base, *offset),
                    base => (base, 0),
                };
                match self.pointer(base)? {
                    Pointer::Var(x) if offset == self.scope.names.offset() => {
                        self.focus.push((1, self.core.successor(x)));
                        Ok(Pointer::Next(x))
                    }
                    _ => Err("a field other than the list field of a variable".into()),
                }
            }
            Term::Int(_)
            | Term::Reg(Reg::Global(_))
            | Term::Addr(_)
            | Term::Load { .. }
            | Term::Offset(..)
            | Term::Index { .. }
            | Term::Neg(_)
            | Term::Arith(..)
            | Term::Ite(..)
            | Term::Content(..)
            | Term::EmptySet
            | Term::Singleton(_)
            | Term::SetOp(..) => Err(unknown()),
        }
    }

    /// The pointer points to v.
    fn points(&self, pointer: Pointer, v: Var) -> Formula {
        match pointer {
            Pointer::Null => Formula::Const(Kleene::False),
            Pointer::Var(x) => self.core.points(x, v),
            Pointer::Next(x) => self.core.successor(x).with(&[v]),
        }
    }

    fn is_null(&self, pointer: Pointer) -> Formula {
        Formula::exists(B, self.points(pointer, B)).not()
    }

    fn equal(&self, a: Pointer, b: Pointer) -> Formula {
        let same = Formula::and([self.points(a, B), self.points(b, B)]);
        let both_null = Formula::and([self.is_null(a), self.is_null(b)]);
        Formula::or([Formula::exists(B, same), both_null])
    }

    /// The formula where all pointers have a value, else `Maybe`.
    fn where_defined(&self, pointers: &[Pointer], formula: Formula) -> Formula {
        let core = self.core;
        let defined = Formula::and(pointers.iter().map(|p| match p {
            Pointer::Null | Pointer::Var(_) => Formula::Const(Kleene::True),
            Pointer::Next(x) => core.at(*x, |u| {
                let gone = [Formula::atom(core.freed, &[u]), Formula::atom(core.undef_n, &[u])];
                Formula::or(gone).not()
            }),
        }));
        if defined == Formula::Const(Kleene::True) {
            return formula;
        }
        let undefined = Formula::and([defined.clone().not(), Formula::Const(Kleene::Maybe)]);
        Formula::or([Formula::and([defined, formula]), undefined])
    }

    fn reach(&mut self, from: Pointer, to: Pointer, strict: bool) -> Result<Formula> {
        let x = match from {
            Pointer::Null if strict => return Ok(Formula::Const(Kleene::False)),
            Pointer::Null => return Ok(self.where_defined(&[to], self.is_null(to))),
            Pointer::Var(x) => x,
            Pointer::Next(_) => return Err("reachability from a field".into()),
        };
        let (core, instrumentation) = (self.core, self.instrumentation);
        if strict && to == from {
            return Ok(instrumentation.on_cycle(core, x));
        }
        if strict {
            return Err("reach1 between two variables".into());
        }
        let reached = |v: Var| instrumentation.reached(core, x, V).with(&[v]);
        let meets = |p: trellis_logic::kleene::PredId| {
            Formula::exists(B, Formula::and([reached(B), Formula::atom(p, &[B])]))
        };
        let unwritten = Formula::and([meets(core.undef_n), Formula::Const(Kleene::Maybe)]);
        let to_null = Formula::and([
            instrumentation.reaches_cycle(core, x).not(),
            meets(core.freed).not(),
            Formula::or([meets(core.undef_n).not(), Formula::Const(Kleene::Maybe)]),
        ]);
        let to_node = Formula::exists(B, Formula::and([reached(B), self.points(to, B)]));
        let ends = Formula::and([self.is_null(to), to_null]);
        Ok(self.where_defined(&[to], Formula::or([to_node, ends, unwritten])))
    }
}
