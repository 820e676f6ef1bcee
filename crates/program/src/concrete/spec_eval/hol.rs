//! The heap as formulas of higher-order logic see it.
//!
//! Objects are numbered as in memory, which for a collected language has all objects that ever
//! were. One that did not exist at entry is, under `old`, as if its fields were null.

use std::cell::OnceCell;

use trellis_hol::eval::{Model, Truth as HolTruth, Value as HolValue, View};
use trellis_hol::{SymbolId, Type as HolType};

use super::terms::{Val, load};
use super::{Evaluator, Truth};
use crate::concrete::memory::{Memory, ObjId, Pointer, Value};
use crate::spec::{FieldRef, HolClause, HolMeaning, Label, Term};
use crate::types::{IntKind, Scalar, TypeTable};

struct Heap<'e> {
    types: &'e TypeTable,
    now: &'e Memory,
    entry: &'e Memory,
    clause: &'e HolClause,
    /// The arguments, now and at entry.
    args: Vec<[Option<HolValue>; 2]>,
    partial: bool,
    ints: OnceCell<Vec<i128>>,
    /// Computed beforehand if the formula quantifies over integers.
    domain: Vec<i128>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn hol(&mut self, clause: &'a HolClause, args: &'a [Term]) -> Truth {
        let entry = match self.env.pre {
            Some(pre) => &pre.memory,
            None => self.env.memory,
        };
        let now = self.memory();
        let values = (0..args.len()).map(|i| self.argument(clause, args, i)).collect();
        let partial = self.at(Label::Here, Self::is_partial);
        let domain = if needs_integers(clause) { self.int_domain().values() } else { Vec::new() };
        let types = &self.env.program.types;
        let ints = OnceCell::new();
        let heap = Heap { types, now, entry, clause, args: values, partial, ints, domain };
        match trellis_hol::eval::truth(&clause.formula, &heap) {
            HolTruth::True => Truth::True,
            HolTruth::False => Truth::False,
            HolTruth::Undefined => Truth::Undefined,
        }
    }

    /// An argument now and at entry.
    fn argument(
        &mut self,
        clause: &HolClause,
        args: &'a [Term],
        index: usize,
    ) -> [Option<HolValue>; 2] {
        let is_it = |m: &HolMeaning| *m == HolMeaning::Argument(index);
        let symbol = clause.meanings.iter().position(is_it);
        let Some(ty) = symbol.map(|s| &clause.formula.symbols[s].ty) else { return [None; 2] };
        let now = self.value(&args[index]).and_then(|v| convert(v, ty));
        let entry = self.at(Label::Pre, |e| e.value(&args[index])).and_then(|v| convert(v, ty));
        [now, entry]
    }
}

/// Whether a formula ranges over integers.
fn needs_integers(clause: &HolClause) -> bool {
    fn has(ty: &HolType) -> bool {
        match ty {
            HolType::Int => true,
            HolType::Set(a) | HolType::List(a) => has(a),
            HolType::Prod(parts) => parts.iter().any(has),
            HolType::Fun(a, _) => has(a),
            HolType::Bool | HolType::Obj | HolType::Unit | HolType::Var(_) => false,
        }
    }
    let mut found = false;
    clause.formula.visit_all(&mut |t| {
        if let trellis_hol::Kind::Bind(_, binders, _) = &t.kind {
            found |= binders.iter().any(|b| has(&b.ty));
        }
        found |= matches!(&t.ty, HolType::Set(of) if has(of));
    });
    found
}

fn convert(value: Val, ty: &HolType) -> Option<HolValue> {
    match (value, ty) {
        (Val::Int(i), HolType::Bool) => Some(HolValue::Bool(i != 0)),
        (Val::Int(i), HolType::Int) => Some(HolValue::Int(i)),
        (Val::Int(0), HolType::Obj) => Some(HolValue::Obj(None)),
        (Val::Place(p), HolType::Obj) => match p {
            None => Some(HolValue::Obj(None)),
            Some(p) if p.off == 0 => Some(HolValue::Obj(Some(p.obj.0))),
            Some(_) => None,
        },
        _ => None,
    }
}

/// What a cell holds.
fn in_cell(value: Value, scalar: Scalar) -> Option<HolValue> {
    let ty = match scalar {
        Scalar::Int(IntKind { bits: 1, .. }) => HolType::Bool,
        Scalar::Int(_) => HolType::Int,
        Scalar::Ptr(_) => HolType::Obj,
        Scalar::Float(_) | Scalar::Bits(_) => return None,
    };
    convert(Val::of(value, Some(scalar))?, &ty)
}

impl Heap<'_> {
    fn memory(&self, view: View) -> &Memory {
        match view {
            View::Now => self.now,
            View::Entry => self.entry,
        }
    }

    fn read(&self, field: &FieldRef, view: View, object: Option<u32>) -> Option<HolValue> {
        let nothing = field.scalar.is_ptr().then_some(HolValue::Obj(None));
        let Some(id) = object else { return nothing };
        let memory = self.memory(view);
        match memory.objects.get(id as usize) {
            Some(object) if object.ty == Some(field.owner) => {
                let at = Pointer { obj: ObjId(id), off: field.offset as i32 };
                in_cell(load(memory, self.types, at, field.scalar)?, field.scalar)
            }
            _ => nothing,
        }
    }
}

impl Model for Heap<'_> {
    fn objects(&self) -> u32 {
        self.now.objects.len() as u32
    }

    fn is_partial(&self) -> bool {
        self.partial
    }

    fn ints(&self) -> &[i128] {
        self.ints.get_or_init(|| self.domain.clone())
    }

    fn constant(&self, symbol: SymbolId, view: View) -> Option<HolValue> {
        match &self.clause.meanings[symbol.0 as usize] {
            HolMeaning::Argument(i) => self.args.get(*i)?[usize::from(view == View::Entry)],
            _ => None,
        }
    }

    fn contains(&self, symbol: SymbolId, view: View, object: Option<u32>) -> HolTruth {
        let Some(id) = object else { return true.into() };
        match &self.clause.meanings[symbol.0 as usize] {
            HolMeaning::Objects => true.into(),
            HolMeaning::Allocated => ((id as usize) < self.memory(view).objects.len()).into(),
            HolMeaning::Class(ty) => {
                (self.now.objects.get(id as usize).and_then(|o| o.ty) == Some(*ty)).into()
            }
            HolMeaning::Mark(p) if p.0 < 32 => match self.now.objects.get(id as usize) {
                Some(object) => (object.marks & 1 << p.0 != 0).into(),
                None => HolTruth::Undefined,
            },
            _ => HolTruth::Undefined,
        }
    }

    fn field(&self, symbol: SymbolId, view: View, object: Option<u32>) -> Option<HolValue> {
        match &self.clause.meanings[symbol.0 as usize] {
            HolMeaning::Field(field) => self.read(field, view, object),
            HolMeaning::Length => {
                let object = self.now.objects.get(object? as usize)?;
                object.ty.filter(|t| self.types.scalar(*t).is_some())?;
                Some(HolValue::Int(object.cells.into()))
            }
            _ => None,
        }
    }

    fn element(&self, view: View, array: Option<u32>, index: i128) -> Option<HolValue> {
        let id = array?;
        let memory = self.memory(view);
        let object = memory.objects.get(id as usize)?;
        let scalar = self.types.scalar(object.ty?)?;
        let index = u32::try_from(index).ok().filter(|i| *i < object.cells)?;
        let off = i32::try_from(index.checked_mul(self.types.bytes(scalar))?).ok()?;
        in_cell(load(memory, self.types, Pointer { obj: ObjId(id), off }, scalar)?, scalar)
    }
}
