//! What quantifiers range over, always in the current state, also under `\old`.
//!
//! **Pointers to `T`**: null; every place in a live object where a `T` lies (its elements, members,
//! members of members, array elements); the same places of freed objects that existed at procedure
//! entry. Pointers to `void`: null and the starts of these objects.
//!
//! **Integers**: the integers that occur in the state (cells of the objects above, variables,
//! parameters, the result) and as literals in the formula, and 0, from the least minus one to the
//! greatest plus one. If these are more than 4096, only the occurring ones and their neighbours. One
//! quantified integer that is only compared with others cannot tell the rest of the integers apart
//! from these; where arithmetic or several quantifiers can, the formula is judged on this sample.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::terms::Val;
use super::{Binding, Evaluator, Truth};
use crate::concrete::memory::{Object, Pointer, Value};
use crate::ir::Program;
use crate::spec::{Binder, Formula, PredId, Sort, Term};
use crate::types::{Scalar, Type, TypeId, TypeTable};

/// The integers that quantifiers range over.
#[derive(Clone)]
pub(super) enum IntDomain {
    Range(i128, i128),
    List(std::rc::Rc<[i128]>),
}

/// Longer ranges are thinned.
const LONGEST_RANGE: i128 = 4096;

impl IntDomain {
    /// All of them, in order.
    pub(super) fn values(&self) -> Vec<i128> {
        match self {
            IntDomain::Range(low, high) => (*low..=*high).collect(),
            IntDomain::List(list) => list.to_vec(),
        }
    }

    fn new(mut seen: Vec<i128>) -> IntDomain {
        seen.push(0);
        let low = seen.iter().min().expect("0 is there") - 1;
        let high = seen.iter().max().expect("0 is there") + 1;
        if high - low < LONGEST_RANGE {
            return IntDomain::Range(low, high);
        }
        let mut list: Vec<_> = seen.into_iter().flat_map(|i| [i - 1, i, i + 1]).collect();
        list.sort_unstable();
        list.dedup();
        IntDomain::List(list.into())
    }
}

/// Calls `f` with every byte offset in an object at which a `ty` lies.
pub fn places_in(types: &TypeTable, object: &Object, ty: TypeId, f: &mut impl FnMut(i32)) {
    if *types.get(ty) == Type::Void {
        return f(0);
    }
    let Some(element) = object.ty else { return };
    let Some(size) = types.size_of(element).filter(|s| *s > 0) else {
        return;
    };
    for i in 0..object.size / size {
        places_in_type(types, element, ty, i * size, f);
    }
}

pub(super) fn places_in_type(
    types: &TypeTable,
    outer: TypeId,
    ty: TypeId,
    at: u32,
    f: &mut impl FnMut(i32),
) {
    if outer == ty {
        return f(at as i32);
    }
    match types.get(outer) {
        Type::Record(r) => {
            for field in &types.record(*r).fields {
                places_in_type(types, field.ty, ty, at + field.offset, f);
            }
        }
        Type::Array(element, n) => {
            let Some(size) = types.size_of(*element) else {
                return;
            };
            for i in 0..*n as u32 {
                places_in_type(types, *element, ty, at + i * size, f);
            }
        }
        _ => {}
    }
}

impl<'a> Evaluator<'a> {
    /// Whether the body is true for all values of the binders; with `negated`, its opposite.
    pub(super) fn forall(
        &mut self,
        binders: &'a [Binder],
        body: &'a Formula,
        negated: bool,
    ) -> Truth {
        let Some((binder, rest)) = binders.split_first() else {
            let truth = self.truth(body);
            return if negated { !truth } else { truth };
        };
        let mut known = Truth::True;
        let _ = self.each(binder, &mut |e| {
            known = known.and(e.forall(rest, body, negated));
            if known == Truth::False {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        // More objects and integers may come.
        if known == Truth::True && (matches!(binder.sort, Sort::Set(_)) || self.now_partial()) {
            return Truth::Undefined;
        }
        known
    }

    fn now_partial(&mut self) -> bool {
        self.at(crate::spec::Label::Here, Self::is_partial)
    }

    /// Calls `f` with the binder bound to each value of its domain. A set has none.
    pub(super) fn each(
        &mut self,
        binder: &'a Binder,
        f: &mut dyn FnMut(&mut Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match binder.sort {
            Sort::Int => match self.int_domain() {
                IntDomain::Range(low, high) => {
                    (low..=high).try_for_each(|i| self.with(binder, Val::Int(i), f))
                }
                IntDomain::List(list) => {
                    list.iter().try_for_each(|&i| self.with(binder, Val::Int(i), f))
                }
            },
            Sort::Ptr(ty) => {
                self.with(binder, Val::Place(None), f)?;
                let (memory, types) = (self.env.memory, &self.env.program.types);
                for obj in memory.ids() {
                    let object = memory.object(obj);
                    if !object.live && !object.initial {
                        continue;
                    }
                    let mut offsets: SmallVec<[i32; 8]> = SmallVec::new();
                    places_in(types, object, ty, &mut |off| offsets.push(off));
                    for off in offsets {
                        self.with(binder, Val::Place(Some(Pointer { obj, off })), f)?;
                    }
                }
                ControlFlow::Continue(())
            }
            Sort::Set(_) => ControlFlow::Continue(()),
        }
    }

    fn with(
        &mut self,
        binder: &Binder,
        value: Val,
        f: &mut dyn FnMut(&mut Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.bound.push((binder.id, Binding::Val(value)));
        let flow = f(self);
        self.bound.pop();
        flow
    }

    pub(super) fn int_domain(&mut self) -> IntDomain {
        if let Some(domain) = &self.ints {
            return domain.clone();
        }
        let env = &self.env;
        let mut seen = Vec::new();
        let types = &env.program.types;
        let mut see = |value: Value, scalar: Option<Scalar>| {
            if let Some(Val::Int(i)) = Val::of(value, scalar) {
                seen.push(i);
            }
        };
        for id in env.memory.ids() {
            let object = env.memory.object(id);
            if object.live || object.initial {
                let cells = env.memory.contents(types, id);
                cells.for_each(|(_, scalar, value)| see(value, Some(scalar)));
                // Lengths of arrays are integers of the state.
                if env.program.is_collected()
                    && object.ty.is_some_and(|t| types.scalar(t).is_some())
                {
                    see(Value::Int(object.cells.into()), None);
                }
            }
        }
        let proc = env.program.proc(env.proc);
        let globals = env.program.globals.iter().map(|g| g.ty).zip(env.globals);
        let locals = proc.vars.iter().map(|v| v.ty).zip(env.locals);
        let entry = proc.vars.iter().map(|v| v.ty).zip(env.entry);
        let result = [proc.ret].into_iter().zip(&env.result);
        for (ty, value) in globals.chain(locals).chain(entry).chain(result) {
            see(*value, types.scalar(ty));
        }
        if let Some(root) = self.root {
            literals(env.program, root, &mut seen, &mut Vec::new());
        }
        let domain = IntDomain::new(seen);
        self.ints = Some(domain.clone());
        domain
    }
}

/// The integer literals of a formula and of the predicates it uses.
fn literals(program: &Program, formula: &Formula, out: &mut Vec<i128>, entered: &mut Vec<PredId>) {
    let (mut called, mut written) = (Vec::new(), Vec::new());
    formula.visit(
        &mut |f| {
            if let Formula::Pred(id, _) = f {
                called.push(*id);
            }
            if let Formula::Hol(clause, _) = f {
                written.extend(clause.literals());
            }
        },
        &mut |t| {
            if let Term::Int(i) = t {
                out.push(*i);
            }
        },
    );
    out.append(&mut written);
    for id in called {
        if let Some(body) = &program.predicates[id.0 as usize].body
            && !entered.contains(&id)
        {
            entered.push(id);
            literals(program, body, out, entered);
        }
    }
}
