//! Loads, stores and comparisons as case splits over the places of a pointer.

use super::flow::Source;
use super::lower::Lowering;
use super::{Place, Pointer};
use crate::checks::CheckKind;
use crate::ir::{BlockId, CmpOp, Cond, Expr, InstrKind, Reg, Terminator, VarId};
use crate::types::Scalar;

/// Why a comparison has no answer.
const GONE: &str = "an address that is compared when its variable is gone";

fn is_set(pointer: &Expr) -> Expr {
    Expr::Cmp(CmpOp::Ne, None, Box::new(pointer.clone()), Box::new(Expr::Null))
}

fn same(a: &Expr, b: &Expr) -> Expr {
    Expr::Cmp(CmpOp::Eq, None, Box::new(a.clone()), Box::new(b.clone()))
}

/// The register of a place in some source, as an expression.
struct Side {
    at: Vec<(Place, Expr)>,
    dead: Option<VarId>,
}

impl Side {
    fn get(&self, place: Place) -> Option<&Expr> {
        self.at.iter().find(|(p, _)| *p == place).map(|(_, e)| e)
    }
}

impl Lowering<'_, '_> {
    /// `dst = *v`.
    pub(super) fn load(&mut self, dst: Reg, v: VarId, scalar: Scalar) {
        self.split(v, &mut |this, found| match found {
            Found::Variable(reg) => this.assign(dst, &Expr::Reg(reg)),
            Found::Memory(addr) => this.emit(InstrKind::Load { dst, addr, scalar }),
        });
    }

    /// `*v = value`.
    pub(super) fn store(&mut self, v: VarId, scalar: Scalar, value: &Expr) {
        let simple = matches!(value, Expr::Reg(_) | Expr::Addr(_) | Expr::Int(_) | Expr::Null);
        let is_place = matches!(scalar, Scalar::Ptr(to) if self.flow.source(value, to).is_some());
        let value = match simple || is_place {
            true => value.clone(),
            // What fails in the value fails before the access does.
            false => {
                let value = self.value(value);
                let kept = self.temporary(scalar);
                self.set(kept, value);
                Expr::local(kept)
            }
        };
        self.split(v, &mut |this, found| match found {
            Found::Variable(reg) => this.assign(reg, &value),
            // What is stored nowhere need not be said.
            Found::Memory(addr @ Expr::Null) => {
                let value = Expr::Int(0);
                this.emit(InstrKind::Store { addr, scalar, value });
            }
            Found::Memory(addr) => {
                let value = this.value(&value);
                this.emit(InstrKind::Store { addr, scalar, value });
            }
        });
    }

    /// Does something at every place that a pointer can have; an access to a dead one fails.
    fn split(&mut self, v: VarId, access: &mut dyn FnMut(&mut Self, Found)) {
        let Pointer { at, dead, .. } = self.of(v);
        let end = self.new_block();
        let cased = |place: &Place| matches!(place, Place::Variable(_));
        let (variables, fields): (Vec<_>, Vec<_>) = at.into_iter().partition(|(p, _)| cased(p));
        for (place, register) in variables {
            let Place::Variable(reg) = place else { continue };
            let els = self.branch(Expr::local(register));
            access(self, Found::Variable(reg));
            self.end(Terminator::Goto(end));
            self.go_on_at(els);
        }
        if let Some(dead) = dead {
            let els = self.branch(Expr::local(dead));
            let (kind, cond) = (CheckKind::UseAfterFree, Cond::Expr(Expr::Int(0)));
            self.emit(InstrKind::Assert { kind, cond });
            self.end(Terminator::Abort);
            self.go_on_at(els);
        }
        let last = fields.len().saturating_sub(1);
        for (i, (place, register)) in fields.iter().enumerate() {
            let Place::Field { offset, .. } = place else { continue };
            let base = Expr::local(*register);
            let addr = match *offset {
                0 => base.clone(),
                by => Expr::Offset(Box::new(base.clone()), by),
            };
            let els = (i < last).then(|| self.branch(is_set(&base)));
            access(self, Found::Memory(addr));
            self.end(Terminator::Goto(end));
            match els {
                Some(els) => self.go_on_at(els),
                None => break,
            }
        }
        if fields.is_empty() {
            // Null, which no access survives.
            access(self, Found::Memory(Expr::Null));
            self.end(Terminator::Goto(end));
        }
        self.go_on_at(end);
    }

    /// A value without the pointers that are replaced.
    pub(super) fn value(&mut self, e: &Expr) -> Expr {
        let boxed = |this: &mut Self, e: &Expr| Box::new(this.value(e));
        match e {
            Expr::Int(_) | Expr::Null | Expr::Reg(_) | Expr::Addr(_) => e.clone(),
            Expr::Unary(op, kind, a) => Expr::Unary(*op, *kind, boxed(self, a)),
            Expr::Binary(op, kind, a, b) => {
                Expr::Binary(*op, *kind, boxed(self, a), boxed(self, b))
            }
            Expr::Cmp(op, None, a, b) => match self.flow.comparison(*op, a, b) {
                Some((a, b)) => {
                    let equal = self.compare(&a, &b);
                    match op {
                        CmpOp::Eq => equal,
                        _ => Expr::Not(Box::new(equal)),
                    }
                }
                None => Expr::Cmp(*op, None, boxed(self, a), boxed(self, b)),
            },
            Expr::Cmp(op, kind, a, b) => Expr::Cmp(*op, *kind, boxed(self, a), boxed(self, b)),
            Expr::Not(a) => Expr::Not(Box::new(self.condition(a))),
            Expr::Convert(kind, a) => Expr::Convert(*kind, boxed(self, a)),
            Expr::ToPtr(a) => Expr::ToPtr(boxed(self, a)),
            Expr::Offset(a, by) => Expr::Offset(boxed(self, a), *by),
            Expr::Index { base, index, size } => {
                Expr::Index { base: boxed(self, base), index: boxed(self, index), size: *size }
            }
            Expr::Diff(a, b, size) => Expr::Diff(boxed(self, a), boxed(self, b), *size),
            Expr::Extent(a, size) => Expr::Extent(boxed(self, a), *size),
        }
    }

    /// An expression of which only the truth matters.
    pub(super) fn condition(&mut self, e: &Expr) -> Expr {
        match e {
            Expr::Reg(reg) if self.flow.pointer(*reg).is_some() => {
                let Reg::Local(v) = *reg else { return e.clone() };
                let null = self.compare(&Source::Copy(v), &Source::Null);
                Expr::Not(Box::new(null))
            }
            e => self.value(e),
        }
    }

    fn side(&self, source: &Source) -> Side {
        let (at, dead) = match source {
            Source::Null => (Vec::new(), None),
            Source::Variable(reg) => (vec![(Place::Variable(*reg), Expr::Int(1))], None),
            Source::Field { owner, offset, base } => {
                let place = Place::Field { owner: *owner, offset: *offset };
                (vec![(place, base.clone())], None)
            }
            Source::Copy(v) => {
                let Pointer { at, dead, .. } = self.of(*v);
                (at.into_iter().map(|(p, r)| (p, Expr::local(r))).collect(), dead)
            }
        };
        Side { at, dead }
    }

    /// Whether two places are one: 0 or 1.
    fn compare(&mut self, a: &Source, b: &Source) -> Expr {
        self.judge(a);
        self.judge(b);
        let is_null = [a, b].contains(&&Source::Null);
        let (a, b) = (self.side(a), self.side(b));
        let (answer, end) = (self.truth(), self.new_block());
        for dead in [a.dead, b.dead].into_iter().flatten() {
            let els = self.branch(Expr::local(dead));
            match is_null {
                true => self.answer(answer, Expr::Int(0), end),
                false => {
                    self.emit(InstrKind::Unsupported { reason: GONE.to_owned() });
                    self.end(Terminator::Abort);
                }
            }
            self.go_on_at(els);
        }
        let mut places: Vec<Place> = a.at.iter().chain(&b.at).map(|(p, _)| *p).collect();
        places.sort();
        places.dedup();
        // Where one side is known to be, the other one has to be.
        for (one, other) in [(&a, &b), (&b, &a)] {
            if let [(place, Expr::Int(1))] = one.at[..] {
                let there = other.get(place).cloned().unwrap_or(Expr::Int(0));
                // One that was never set is no place at all.
                if there == Expr::Int(0) {
                    self.need(other);
                }
                self.answer(answer, there, end);
                self.go_on_at(end);
                return Expr::local(answer);
            }
        }
        let last = places.len().saturating_sub(1);
        for (i, &place) in places.iter().enumerate() {
            let (x, y) = (a.get(place), b.get(place));
            match (place, x, y) {
                (Place::Field { .. }, Some(x), Some(y)) if i == last => {
                    self.answer(answer, same(x, y), end);
                    self.go_on_at(end);
                    return Expr::local(answer);
                }
                _ => {
                    self.differs(place, x, y, answer, end);
                    self.differs(place, y, x, answer, end);
                }
            }
        }
        self.answer(answer, Expr::Int(1), end);
        self.go_on_at(end);
        Expr::local(answer)
    }

    /// If one side is at a place, the other one decides.
    fn differs(
        &mut self,
        place: Place,
        one: Option<&Expr>,
        other: Option<&Expr>,
        answer: VarId,
        end: BlockId,
    ) {
        let Some(one) = one else { return };
        let (there, value) = match (place, other) {
            (Place::Variable(_), other) => (one.clone(), other.cloned()),
            (Place::Field { .. }, Some(other)) => (is_set(one), Some(same(one, other))),
            (Place::Field { .. }, None) => (is_set(one), None),
        };
        let els = self.branch(there);
        self.answer(answer, value.unwrap_or(Expr::Int(0)), end);
        self.go_on_at(els);
    }

    /// Fails if a side was never set.
    fn need(&mut self, side: &Side) {
        if let Some((place, e)) = side.at.first() {
            let cond = match place {
                Place::Variable(_) => e.clone(),
                Place::Field { .. } => is_set(e),
            };
            let els = self.branch(cond);
            self.end(Terminator::Goto(els));
            self.go_on_at(els);
        }
    }

    fn answer(&mut self, answer: VarId, value: Expr, end: BlockId) {
        self.set(answer, value);
        self.end(Terminator::Goto(end));
    }
}

/// Where an access leads in one case.
enum Found {
    Variable(Reg),
    Memory(Expr),
}
