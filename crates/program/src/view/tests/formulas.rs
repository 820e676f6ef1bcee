//! Random contract formulas over the variables and fields of a sample.

use trellis_logic::generate::Tape;

use super::samples::F;
use crate::ir::{CmpOp, Program, Reg, Storage, VarId};
use crate::spec::{
    ArithOp, Binder, BoundId, Derived, FieldRef, Formula, Label, PredId, SetOp, Sort, Term,
};
use crate::types::{Scalar, Type, TypeId};

/// Builds formulas from a tape.
pub(super) struct Formulas<'a> {
    pub(super) program: &'a Program,
    pub(super) tape: &'a mut Tape,
    /// Pointer types to build terms of.
    pub(super) targets: Vec<TypeId>,
    /// Whether `reach1` and `cyclic` may occur.
    pub(super) strict: bool,
    scope: Vec<(BoundId, TypeId)>,
    binders: u32,
}

impl<'a> Formulas<'a> {
    pub(super) fn new(program: &'a Program, tape: &'a mut Tape, targets: Vec<TypeId>) -> Self {
        Formulas { program, tape, targets, strict: true, scope: Vec::new(), binders: 0 }
    }

    pub(super) fn formula(&mut self, depth: u32) -> Formula {
        if depth == 0 {
            return self.atom();
        }
        let sub = |s: &mut Self| Box::new(s.formula(depth - 1));
        match self.tape.below(10) {
            0 | 1 => self.atom(),
            2 => Formula::Not(sub(self)),
            3 => Formula::And(vec![*sub(self), *sub(self)]),
            4 => Formula::Or(vec![*sub(self), *sub(self)]),
            5 => Formula::Implies(sub(self), sub(self)),
            6 => Formula::Iff(sub(self), sub(self)),
            7 => Formula::At(self.label(), sub(self)),
            _ => {
                let (target, id) = (self.target(), BoundId(100 + self.binders));
                self.binders += 1;
                let binder = Binder { id, name: "v".into(), sort: Sort::Ptr(target) };
                self.scope.push((id, target));
                let body = sub(self);
                self.scope.pop();
                match self.tape.chance(50) {
                    true => Formula::Forall(vec![binder], body),
                    false => Formula::Exists(vec![binder], body),
                }
            }
        }
    }

    fn label(&mut self) -> Label {
        if self.tape.chance(70) { Label::Pre } else { Label::Here }
    }

    fn target(&mut self) -> TypeId {
        *self.tape.pick(&self.targets).unwrap()
    }

    /// A pointer field from a type to itself.
    fn link(&mut self, ty: TypeId) -> Option<FieldRef> {
        let fields = self.fields(ty);
        let links: Vec<_> = fields.into_iter().filter(|f| f.scalar == Scalar::Ptr(ty)).collect();
        self.tape.pick(&links).cloned()
    }

    fn fields(&self, ty: TypeId) -> Vec<FieldRef> {
        let layout = self.program.types.layout(ty).unwrap();
        let field = |c: &crate::types::CellInfo| FieldRef {
            owner: ty,
            offset: c.offset,
            scalar: c.scalar,
            name: c.path.clone(),
        };
        layout.cells.iter().map(field).collect()
    }

    fn atom(&mut self) -> Formula {
        let ty = self.target();
        let (a, b) = (self.pointer(ty, 2), self.pointer(ty, 2));
        match self.tape.below(14) {
            0 => Formula::Const(self.tape.chance(50)),
            1 | 2 => Formula::Cmp(self.equality(), a, b),
            3 => {
                let op = [CmpOp::Eq, CmpOp::Ne, CmpOp::Lt, CmpOp::Le, CmpOp::Gt, CmpOp::Ge]
                    [self.tape.below(6) as usize];
                Formula::Cmp(op, self.int(2), self.int(2))
            }
            4 => Formula::Alloc(a),
            5 => Formula::Valid(a, 1 + self.tape.below(30)),
            6 => Formula::Separated(vec![a, b, self.pointer(ty, 1)]),
            7 => Formula::Pred(PredId(self.tape.below(2)), vec![self.marked()]),
            8 => Formula::In(a, self.set(ty, 2)),
            9 => Formula::Subset(self.set(ty, 2), self.set(ty, 2)),
            10 => Formula::Cmp(self.equality(), self.set(ty, 2), self.set(ty, 1)),
            11 => self.derived(ty, a, b),
            _ => match self.link(ty) {
                Some(field) => {
                    let strict = self.strict && self.tape.chance(40);
                    Formula::Reach { field, strict, from: a, to: b }
                }
                None => Formula::Const(true),
            },
        }
    }

    /// A pointer of the type that the predicates take.
    fn marked(&mut self) -> Term {
        let Sort::Ptr(ty) = self.program.predicates[0].params[0].sort else { panic!() };
        self.pointer(ty, 2)
    }

    fn equality(&mut self) -> CmpOp {
        if self.tape.chance(50) { CmpOp::Ne } else { CmpOp::Eq }
    }

    fn derived(&mut self, ty: TypeId, x: Term, y: Term) -> Formula {
        let (Some(f), Some(back)) = (self.link(ty), self.link(ty)) else {
            return Formula::Alloc(x);
        };
        let fields = self.fields(ty);
        let key = fields.into_iter().find(|f| matches!(f.scalar, Scalar::Int(_)));
        let derived = match (self.tape.below(5), key) {
            (0, _) => Derived::ListSegment(f, x, y),
            (1, Some(key)) => Derived::Sorted(f, key, x, y),
            (2, _) => Derived::Reverse(f, back, x, y),
            (3, _) if self.strict => Derived::Cyclic(f, x),
            _ => Derived::Stable(f, x),
        };
        Formula::Derived(Box::new(derived))
    }

    fn set(&mut self, ty: TypeId, depth: u32) -> Term {
        let op = [SetOp::Union, SetOp::Inter, SetOp::Diff][self.tape.below(3) as usize];
        match (self.tape.below(8), self.link(ty)) {
            (0, _) => Term::EmptySet,
            (1 | 2, Some(f)) => Term::Content(f, Box::new(self.pointer(ty, 1))),
            (3 | 4, _) if depth > 0 => Term::SetOp(
                op,
                Box::new(self.set(ty, depth - 1)),
                Box::new(self.set(ty, depth - 1)),
            ),
            (5, _) if depth > 0 => Term::At(self.label(), Box::new(self.set(ty, depth - 1))),
            (6, _) if depth > 0 => Term::Ite(
                Box::new(self.atom()),
                Box::new(self.set(ty, depth - 1)),
                Box::new(self.set(ty, depth - 1)),
            ),
            _ => Term::Singleton(Box::new(self.pointer(ty, 1))),
        }
    }

    /// A term of type `ty *`.
    fn pointer(&mut self, ty: TypeId, depth: u32) -> Term {
        let proc = self.program.proc(F);
        let scalar = |t| self.program.types.scalar(t);
        let mut leaves = vec![Term::Null];
        for (i, v) in proc.vars.iter().enumerate() {
            if scalar(v.ty) == Some(Scalar::Ptr(ty)) && v.storage == Storage::Register {
                leaves.push(Term::Reg(Reg::Local(VarId(i as u32))));
            }
        }
        for (i, g) in self.program.globals.iter().enumerate() {
            let reg = Reg::Global(crate::ir::GlobalId(i as u32));
            match g.storage {
                Storage::Register if scalar(g.ty) == Some(Scalar::Ptr(ty)) => {
                    leaves.push(Term::Reg(reg));
                }
                Storage::Object if g.ty == ty => leaves.push(Term::Addr(reg)),
                _ => {}
            }
        }
        if scalar(proc.ret) == Some(Scalar::Ptr(ty)) {
            leaves.push(Term::Result);
        }
        leaves.extend(self.scope.iter().filter(|(_, t)| *t == ty).map(|(b, _)| Term::Bound(*b)));
        if depth > 0 {
            match self.tape.below(8) {
                0 | 1 => {
                    if let Some(load) = self.load(Scalar::Ptr(ty), depth - 1) {
                        return load;
                    }
                }
                2 => {
                    let label = self.label();
                    return Term::At(label, Box::new(self.pointer(ty, depth - 1)));
                }
                3 => {
                    if let Some(inner) = self.interior(ty, depth - 1) {
                        return inner;
                    }
                }
                4 => {
                    let (a, b) = (self.pointer(ty, depth - 1), self.pointer(ty, depth - 1));
                    if a != b {
                        return Term::Ite(Box::new(self.atom()), Box::new(a), Box::new(b));
                    }
                }
                _ => {}
            }
        }
        self.tape.pick(&leaves).unwrap().clone()
    }

    /// `p->f` where `f` has the given type.
    fn load(&mut self, scalar: Scalar, depth: u32) -> Option<Term> {
        let mut places = Vec::new();
        for &ty in &self.targets {
            places.extend(self.fields(ty).into_iter().filter(|f| f.scalar == scalar));
        }
        let field = self.tape.pick(&places)?.clone();
        let base = self.pointer(field.owner, depth);
        if base == Term::Null {
            return None;
        }
        let addr = Box::new(Term::Offset(Box::new(base), field.offset.into()));
        Some(Term::Load { addr, scalar })
    }

    /// `&p->member`, or its container.
    fn interior(&mut self, ty: TypeId, depth: u32) -> Option<Term> {
        let mut places = Vec::new();
        for &other in &self.targets {
            let Type::Record(r) = self.program.types.get(other) else { continue };
            for field in &self.program.types.record(*r).fields {
                if field.ty == ty {
                    places.push((other, i64::from(field.offset)));
                }
                if other == ty && self.targets.contains(&field.ty) {
                    places.push((field.ty, -i64::from(field.offset)));
                }
            }
        }
        let &(base, offset) = self.tape.pick(&places)?;
        Some(Term::Offset(Box::new(self.pointer(base, depth)), offset))
    }

    fn int(&mut self, depth: u32) -> Term {
        let proc = self.program.proc(F);
        let ints: Vec<Term> = proc
            .vars
            .iter()
            .enumerate()
            .filter_map(|(i, v)| {
                let Some(scalar @ Scalar::Int(_)) = self.program.types.scalar(v.ty) else {
                    return None;
                };
                let reg = Reg::Local(VarId(i as u32));
                Some(match v.storage {
                    Storage::Register => Term::Reg(reg),
                    Storage::Object => Term::Load { addr: Box::new(Term::Addr(reg)), scalar },
                })
            })
            .collect();
        let kinds: Vec<Scalar> = (self.targets.iter())
            .flat_map(|t| self.fields(*t))
            .map(|f| f.scalar)
            .filter(|s| matches!(s, Scalar::Int(_)))
            .collect();
        match self.tape.below(7) {
            0 | 1 if !ints.is_empty() => self.tape.pick(&ints).unwrap().clone(),
            2 | 3 if !kinds.is_empty() => {
                let kind = *self.tape.pick(&kinds).unwrap();
                self.load(kind, 1).unwrap_or(Term::Int(2))
            }
            4 if depth > 0 => {
                let op = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul][self.tape.below(3) as usize];
                Term::Arith(op, Box::new(self.int(depth - 1)), Box::new(self.int(depth - 1)))
            }
            5 if depth > 0 => Term::Neg(Box::new(self.int(depth - 1))),
            6 if depth > 0 => {
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                if a == b {
                    return a;
                }
                Term::Ite(Box::new(self.atom()), Box::new(a), Box::new(b))
            }
            _ => Term::Int(i128::from(self.tape.below(3)) - 1),
        }
    }
}
