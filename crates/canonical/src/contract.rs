//! Facts about lists as closed formulas about predicates.
//!
//! Contracts are read by [`trellis_shapes::contract`], for the names of a [`Reading`]. Understood:
//! comparison of pointers, `x->n`, `reach`, `reach1`, `cyclic`, `alloc`, `\valid`, the connectives,
//! and predicates of the user that are defined with these. Everything else has no translation, and
//! the caller reports the clause as not supported.
//!
//! **Contract**: where the translation is true (false) in a definite structure, the formula is true
//! (false) in the heap. What is undefined, such as a field of null, is `Maybe`.

use trellis_logic::kleene::{Formula, Kleene, Var};
use trellis_program::spec::{self, Label};
use trellis_program::{ProcId, Program, Reg};
use trellis_shapes::contract::{Outside, SlotMap, fact};
use trellis_shapes::node::NodeType;
use trellis_shapes::program::{Fact, Slot, Term};

use crate::compile::Variables;
use crate::core::{B, Core, V, VarIndex};
use crate::predicates::Instrumentation;

/// In which state variables are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// As they are: assertions.
    Now,
    /// Parameters as they were passed, all other locals are gone: `ensures`.
    AtReturn,
}

/// What names mean where code or a formula stands.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The program.
    pub program: &'a Program,
    /// The procedure.
    pub proc: ProcId,
    /// Its variables.
    pub variables: &'a Variables,
    /// In which state they are read.
    pub view: View,
}

impl SlotMap for Reading<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn proc(&self) -> ProcId {
        self.proc
    }

    fn node(&self) -> Option<&NodeType> {
        Some(&self.variables.node)
    }

    fn slot(&self, reg: Reg) -> Slot {
        let Reg::Local(v) = reg else {
            return Slot::None;
        };
        let variables = match self.view {
            View::Now => &self.variables.locals,
            View::AtReturn => &self.variables.entries,
        };
        variables.get(v.0 as usize).copied().flatten().map_or(Slot::None, Slot::List)
    }

    fn entry_slot(&self, reg: Reg) -> Result<Slot, Outside> {
        let at_entry = Reading { view: View::AtReturn, ..*self };
        match at_entry.slot(reg) {
            Slot::None => Err("a value at entry that is not kept".to_owned()),
            slot => Ok(slot),
        }
    }

    fn result(&self) -> Slot {
        self.variables.result.map_or(Slot::None, Slot::List)
    }

    fn memory_changes(&self) -> bool {
        true
    }

    fn may_hide_nodes(&self) -> bool {
        false
    }
}

/// A contract formula as a fact. Of the state at entry only values of parameters are known, so a
/// whole formula about it is outside.
///
/// # Errors
/// If it cannot be said.
pub fn read(reading: &Reading<'_>, formula: &spec::Formula) -> Result<Fact, Outside> {
    let mut at_entry = false;
    let look = &mut |f: &spec::Formula| at_entry |= matches!(f, spec::Formula::At(Label::Pre, _));
    formula.visit(look, &mut |_| {});
    match at_entry {
        true => Err("a formula about the heap at entry".into()),
        false => fact(reading, formula),
    }
}

/// A translated formula.
#[derive(Clone, Debug)]
pub struct Translated {
    /// What must hold.
    pub formula: Formula,
    /// What should be definite before.
    pub focus: Vec<(usize, Formula)>,
}

/// Translates a fact.
///
/// # Errors
/// What has no translation.
pub fn translate(
    fact: &Fact,
    core: &Core,
    instrumentation: &dyn Instrumentation,
) -> Result<Translated, Outside> {
    let mut translator = Translator { core, instrumentation, focus: Vec::new() };
    let formula = translator.fact(fact)?;
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
    core: &'a Core,
    instrumentation: &'a dyn Instrumentation,
    focus: Vec<(usize, Formula)>,
}

impl Translator<'_> {
    fn fact(&mut self, fact: &Fact) -> Result<Formula, Outside> {
        match fact {
            Fact::Const(value) => Ok(Formula::Const((*value).into())),
            Fact::Not(f) => match &**f {
                // Where a pointer has no value, neither holds.
                Fact::Same(a, b) => self.comparison(a, b, |equal| equal.not()),
                f => Ok(self.fact(f)?.not()),
            },
            Fact::And(fs) => Ok(Formula::and(self.facts(fs)?)),
            Fact::Or(fs) => Ok(Formula::or(self.facts(fs)?)),
            Fact::Iff(a, b) => {
                let (a, b) = (self.fact(a)?, self.fact(b)?);
                let both = Formula::and([a.clone(), b.clone()]);
                Ok(Formula::or([both, Formula::and([a.not(), b.not()])]))
            }
            Fact::Same(a, b) => self.comparison(a, b, |equal| equal),
            Fact::Reach { strict, from, to } => {
                let (from, to) = (self.pointer(from)?, self.pointer(to)?);
                self.reach(from, to, *strict)
            }
            Fact::Cyclic(x) => {
                let x = self.pointer(x)?;
                self.reach(x, x, true)
            }
            Fact::Alloc(t) => match self.pointer(t)? {
                Pointer::Null => Ok(Formula::Const(Kleene::False)),
                Pointer::Var(x) => {
                    Ok(self.core.at(x, |u| Formula::atom(self.core.freed, &[u]).not()))
                }
                Pointer::Next(_) => Err("a predicate of a field".into()),
            },
            Fact::ListSegment(..) | Fact::Stable(_) => {
                Err("a predicate other than reach and cyclic".into())
            }
            Fact::Cmp(..) => Err("a comparison of integers".into()),
            Fact::SameSet(..) | Fact::Subset(..) | Fact::In(..) => Err("a set".into()),
            Fact::Separated(_) => Err("\\separated".into()),
        }
    }

    fn facts(&mut self, facts: &[Fact]) -> Result<Vec<Formula>, Outside> {
        facts.iter().map(|f| self.fact(f)).collect()
    }

    /// What is said of the equality of two pointers, where both have a value.
    fn comparison(
        &mut self,
        a: &Term,
        b: &Term,
        said: fn(Formula) -> Formula,
    ) -> Result<Formula, Outside> {
        let (a, b) = (self.pointer(a)?, self.pointer(b)?);
        Ok(self.where_defined(&[a, b], said(self.equal(a, b))))
    }

    fn pointer(&mut self, term: &Term) -> Result<Pointer, Outside> {
        match term {
            Term::Null => Ok(Pointer::Null),
            Term::Var(x) => Ok(Pointer::Var(*x)),
            Term::Next(base) => match **base {
                Term::Var(x) => {
                    self.focus.push((1, self.core.successor(x)));
                    Ok(Pointer::Next(x))
                }
                _ => Err("a field other than the list field of a variable".into()),
            },
            Term::Ite(..) => Err("a term that is no pointer variable".into()),
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

    fn reach(&mut self, from: Pointer, to: Pointer, strict: bool) -> Result<Formula, Outside> {
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
