//! Which variables and fields the code makes point elsewhere in an object than their type says.
//!
//! Flow-insensitive: one assignment of `p + 1` to `p` is enough. Such a variable or field has no
//! symbol, so that no formula can take its object for the pointer. A load through a pointer whose
//! place is not known (`*pp`) is taken to yield what its type says, since all stores are looked at.

use std::collections::BTreeSet;

use super::spots::Spot;
use super::vocabulary::{Cell, Kind, ProgramVocabulary};
use crate::ir::{Expr, InstrKind, ProcId, Program, Reg, Terminator};
use crate::types::{Scalar, TypeId};

/// Takes the symbols of moved variables and fields away.
pub(super) fn refuse_moved(program: &Program, vocabulary: &mut ProgramVocabulary) {
    let procs = crate::cfg::reachable_procs(program, vocabulary.proc);
    let mut scan = Scan { program, vocabulary, moved: Moved::default() };
    loop {
        let before = scan.moved.len();
        procs.iter().for_each(|p| scan.procedure(*p));
        if scan.moved.len() == before {
            break;
        }
    }
    let Moved { variables, returns, cells, .. } = scan.moved;
    let reason = "it may point to different places of an object";
    for (owner, reg) in variables {
        if owner.is_none_or(|p| p == vocabulary.proc)
            && let Some(symbol) = vocabulary.regs.get_mut(&reg)
        {
            let name = program.reg_name(vocabulary.proc, reg);
            *symbol = Err(format!("`{name}`: {reason}"));
        }
    }
    for cell in cells {
        if let Some(symbol) = vocabulary.cells.get_mut(&cell) {
            let name = symbol.as_ref().ok().map(|f| f.fun.now);
            let name = name.map_or("a field", |f| &vocabulary.logic.fun(f).name);
            *symbol = Err(format!("`{name}`: {reason}"));
        }
    }
    if returns.contains(&vocabulary.proc) {
        vocabulary.result = None;
    }
}

/// What is known to point elsewhere.
#[derive(Default)]
struct Moved {
    /// Locals with their procedure, globals without.
    variables: BTreeSet<(Option<ProcId>, Reg)>,
    returns: BTreeSet<ProcId>,
    cells: BTreeSet<Cell>,
}

impl Moved {
    fn len(&self) -> usize {
        self.variables.len() + self.returns.len() + self.cells.len()
    }
}

struct Scan<'a> {
    program: &'a Program,
    vocabulary: &'a ProgramVocabulary,
    moved: Moved,
}

impl Scan<'_> {
    fn procedure(&mut self, p: ProcId) {
        for block in self.program.proc(p).blocks() {
            for instr in &block.instrs {
                self.instr(p, &instr.kind);
            }
            if let Terminator::Return(Some(e)) = &block.term
                && !self.fits(self.program.proc(p).ret, self.spot(p, e))
            {
                self.moved.returns.insert(p);
            }
        }
    }

    fn instr(&mut self, p: ProcId, instr: &InstrKind) {
        match instr {
            InstrKind::Assign { dst, value } => self.assign(p, *dst, self.spot(p, value)),
            InstrKind::Load { dst, addr, scalar } => {
                let spot = match (self.cell(p, addr, *scalar), scalar) {
                    (Some(cell), _) if self.moved.cells.contains(&cell) => None,
                    (_, Scalar::Ptr(to)) => self.vocabulary.pointee(*to).ok(),
                    _ => None,
                };
                self.assign(p, *dst, spot);
            }
            InstrKind::Store { addr, scalar: scalar @ Scalar::Ptr(to), value } => {
                let spot = self.spot(p, value);
                let cell = self.cell(p, addr, *scalar);
                let declared = cell.and_then(|c| self.vocabulary.cells.get(&c)?.as_ref().ok());
                let fits = match declared.map(|f| f.kind) {
                    Some(Kind::Ptr(to)) => self.agree(to, spot),
                    _ => self.agree_type(*to, spot),
                };
                match (fits, cell) {
                    (true, _) => {}
                    (false, Some(cell)) => {
                        self.moved.cells.insert(cell);
                    }
                    // It may be any pointer in memory.
                    (false, None) => {
                        let cells = self.vocabulary.fields().map(|(cell, _)| cell);
                        let pointers = |c: &Cell| c.kind == super::vocabulary::CellKind::Ptr;
                        self.moved.cells.extend(cells.filter(pointers));
                    }
                }
            }
            InstrKind::Alloc { dst, ty, .. } => {
                let spot = ty.and_then(|t| self.vocabulary.spots.of_object(t));
                self.assign(p, *dst, Some(spot.unwrap_or(Spot::Start)));
            }
            InstrKind::Call { dst, proc, args } => {
                let callee = self.program.proc(*proc);
                for (v, arg) in callee.param_ids().zip(args) {
                    if !self.fits(callee.var(v).ty, self.spot(p, arg)) {
                        self.moved.variables.insert((Some(*proc), Reg::Local(v)));
                    }
                }
                if let Some(dst) = dst
                    && self.moved.returns.contains(proc)
                {
                    self.assign(p, *dst, None);
                }
            }
            // A copied pointer is in the place of its field, or the field has no symbol; one that is
            // chosen is in the place of its type.
            InstrKind::Copy { .. } | InstrKind::Fill { .. } | InstrKind::Havoc { .. } => {}
            InstrKind::Store { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Free { .. }
            | InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Assume { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Unsupported { .. } => {}
        }
    }

    fn assign(&mut self, p: ProcId, dst: Reg, spot: Option<Spot>) {
        if !self.fits(self.program.reg_type(p, dst), spot) {
            self.moved.variables.insert(key(p, dst));
        }
    }

    /// Whether a value at `spot` is in the place of its type; integers have no place.
    fn fits(&self, ty: TypeId, spot: Option<Spot>) -> bool {
        match self.program.types.pointee(ty) {
            Some(to) => self.agree_type(to, spot),
            None => true,
        }
    }

    fn agree_type(&self, to: TypeId, spot: Option<Spot>) -> bool {
        // What has no symbol anyway need not be watched.
        self.vocabulary.pointee(to).map_or(true, |place| self.agree(place, spot))
    }

    fn agree(&self, place: Spot, spot: Option<Spot>) -> bool {
        spot.is_some_and(|spot| self.vocabulary.meet(place, spot).is_some())
    }

    /// Where an expression points; `None` if that is not known.
    fn spot(&self, p: ProcId, e: &Expr) -> Option<Spot> {
        match e {
            Expr::Null | Expr::Int(0) => Some(Spot::Null),
            Expr::Reg(r) if self.moved.variables.contains(&key(p, *r)) => None,
            Expr::Reg(r) => {
                let to = self.program.types.pointee(self.program.reg_type(p, *r))?;
                self.vocabulary.pointee(to).ok()
            }
            Expr::Addr(r) => {
                let ty = self.program.reg_type(p, *r);
                Some(self.vocabulary.spots.of_object(ty).unwrap_or(Spot::Start))
            }
            Expr::Offset(e, by) => self.vocabulary.shift(self.spot(p, e)?, *by),
            Expr::Index { base, index, size } => {
                let Expr::Int(i) = **index else { return None };
                self.vocabulary.shift(self.spot(p, base)?, i.checked_mul(i64::from(*size))?)
            }
            Expr::ToPtr(e) => matches!(**e, Expr::Int(0)).then_some(Spot::Null),
            _ => None,
        }
    }

    fn cell(&self, p: ProcId, addr: &Expr, scalar: Scalar) -> Option<Cell> {
        let Spot::At { family, at } = self.spot(p, addr)? else { return None };
        let kind = super::vocabulary::CellKind::of(scalar)?;
        Some(Cell { family, at, kind })
    }
}

fn key(p: ProcId, reg: Reg) -> (Option<ProcId>, Reg) {
    (matches!(reg, Reg::Local(_)).then_some(p), reg)
}

impl ProgramVocabulary {
    /// The spot that two pointers share if they are to the same object; `None` if they do not, or
    /// if that depends on the object.
    pub fn meet(&self, a: Spot, b: Spot) -> Option<Spot> {
        match (a, b) {
            (Spot::Null, spot) | (spot, Spot::Null) => Some(spot),
            _ if a == b => Some(a),
            (Spot::Start, Spot::At { family, at }) | (Spot::At { family, at }, Spot::Start) => {
                let roots = &self.spots.families[family].roots;
                roots.iter().all(|r| r.position == at).then_some(Spot::At { family, at })
            }
            _ => None,
        }
    }

    /// A spot moved by some bytes; `None` if that leaves what is known.
    pub fn shift(&self, spot: Spot, by: i64) -> Option<Spot> {
        match spot {
            _ if by == 0 => Some(spot),
            Spot::Null => Some(Spot::Null),
            Spot::Start => None,
            Spot::At { family, at } => Some(Spot::At { family, at: at.checked_add(by)? }),
        }
    }
}
