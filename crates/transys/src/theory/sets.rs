//! Which fields lead to the children of trees.
//!
//! A contract says so: the fields that it follows in any order, in `tree(left, right, t)` or
//! `reach({left, right}, x, y)`, are a set. A program without a contract does not, so its paths are
//! looked at: fields that never lead from two cells to one node, nor back to where another one comes
//! from, can be a set; what only ever holds null adds nothing.
//!
//! **Invariant.** Any choice is sound: what a theory does not have is a bad state or a refusal.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::view::{Cell, Kind, ProgramVocabulary};
use trellis_program::{BlockId, Body, Expr, Instr, InstrKind, Program, Refusal, Reg, Scalar};
use trellis_program::{Terminator, cfg};

use crate::execute::expr::address_in;

/// More paths than this are not looked at; nothing is a set then.
const MOST_PATHS: usize = 1000;

/// The sets of fields that a procedure without calls is to be followed with.
///
/// # Errors
/// If the contract follows sets of fields that overlap.
pub(crate) fn of_procedure(
    program: &Program,
    view: &ProgramVocabulary,
    body: &Body,
) -> Result<Vec<Vec<Cell>>, Refusal> {
    let of_contract: Vec<Vec<Cell>> =
        view.field_sets().iter().map(|s| s.cells.clone()).filter(|s| s.len() > 1).collect();
    for (i, set) in of_contract.iter().enumerate() {
        if of_contract[..i].iter().flatten().any(|cell| set.contains(cell)) {
            let span = program.proc(view.proc).span;
            return Err(Refusal::at(span, "a contract that follows sets of fields that overlap"));
        }
    }
    if !of_contract.is_empty() || !program.is_whole_program(view.proc) {
        return Ok(of_contract);
    }
    Ok(of_paths(view, body))
}

/// The sets that the code of a whole program speaks for.
fn of_paths(view: &ProgramVocabulary, body: &Body) -> Vec<Vec<Cell>> {
    let mut families: BTreeMap<usize, BTreeSet<Cell>> = BTreeMap::new();
    let recursive = view.fields().filter(|(_, f)| f.closure.is_some());
    for (cell, field) in recursive {
        if matches!(field.kind, Kind::Ptr(_)) {
            families.entry(cell.family).or_default().insert(cell);
        }
    }
    families.retain(|_, cells| cells.len() > 1);
    if families.is_empty() {
        return Vec::new();
    }
    let Some(seen) = Seen::of(view, body) else { return Vec::new() };
    let mut out = Vec::new();
    for cells in families.into_values() {
        let useful: Vec<Cell> = cells
            .into_iter()
            .filter(|c| seen.holds_nodes.contains(c) && !seen.conflicts.contains(&(*c, *c)))
            .collect();
        out.extend(largest(&useful, &seen.conflicts).filter(|set| set.len() > 1));
    }
    out
}

/// The first of the largest subsets without a conflict.
fn largest(cells: &[Cell], conflicts: &BTreeSet<(Cell, Cell)>) -> Option<Vec<Cell>> {
    /// Objects with more fields than this are no nodes of a tree.
    const MOST_FIELDS: usize = 8;
    if cells.len() > MOST_FIELDS {
        return None;
    }
    let subset = |bits: u32| -> Vec<Cell> {
        (0..cells.len()).filter(|i| bits >> i & 1 == 1).map(|i| cells[i]).collect()
    };
    let fits =
        |set: &Vec<Cell>| set.iter().all(|a| set.iter().all(|b| !conflicts.contains(&(*a, *b))));
    let all = (0..1_u32 << cells.len()).map(subset).filter(fits);
    // The last of equal ones is taken, so the first fields are asked last.
    all.max_by_key(|set| (set.len(), std::cmp::Reverse(set.clone())))
}

/// What is seen of fields on the paths between cut points.
#[derive(Default)]
struct Seen {
    /// Fields that were given something else than null.
    holds_nodes: BTreeSet<Cell>,
    /// Pairs of fields, both ways round, that lead to one node or to each other at a cut point.
    conflicts: BTreeSet<(Cell, Cell)>,
}

/// A value, by a number; null has none.
type Known = Option<u32>;

/// What is known on a path.
#[derive(Clone, Default)]
struct Track {
    values: BTreeMap<Reg, Known>,
    cells: BTreeMap<(Cell, u32), Known>,
    fresh: u32,
}

impl Track {
    fn new_value(&mut self) -> Known {
        self.fresh += 1;
        Some(self.fresh)
    }

    fn value(&mut self, e: &Expr) -> Known {
        match e {
            Expr::Null | Expr::Int(0) => None,
            Expr::Convert(_, a) | Expr::ToPtr(a) => self.value(a),
            Expr::Reg(reg) => match self.values.get(reg) {
                Some(known) => *known,
                None => {
                    let known = self.new_value();
                    self.values.insert(*reg, known);
                    known
                }
            },
            _ => self.new_value(),
        }
    }

    /// The object that an address is in.
    fn object(&mut self, addr: &Expr) -> Known {
        match addr {
            Expr::Offset(a, _) | Expr::Convert(_, a) | Expr::ToPtr(a) => self.object(a),
            _ => self.value(addr),
        }
    }

    fn instr(&mut self, view: &ProgramVocabulary, instr: &Instr, seen: &mut Seen) {
        match &instr.kind {
            InstrKind::Assign { dst, value } => {
                let value = self.value(value);
                self.values.insert(*dst, value);
            }
            InstrKind::Load { dst, addr, scalar: scalar @ Scalar::Ptr(_) } => {
                let object = self.object(addr);
                let cell = address_in(view, addr, *scalar);
                let found = match (cell, object) {
                    (Some(cell), Some(object)) => {
                        let known = self.cells.get(&(cell, object)).copied();
                        known.unwrap_or_else(|| {
                            let found = self.new_value();
                            self.cells.insert((cell, object), found);
                            found
                        })
                    }
                    _ => self.new_value(),
                };
                self.values.insert(*dst, found);
            }
            InstrKind::Store { addr, scalar: scalar @ Scalar::Ptr(_), value } => {
                let (object, value) = (self.object(addr), self.value(value));
                if let (Some(cell), Some(object)) = (address_in(view, addr, *scalar), object) {
                    self.cells.insert((cell, object), value);
                    if value.is_some() {
                        seen.holds_nodes.insert(cell);
                    }
                }
            }
            InstrKind::Free { ptr } => {
                if let Some(gone) = self.value(ptr) {
                    self.cells.retain(|(_, object), to| *object != gone && *to != Some(gone));
                }
            }
            kind => {
                if let Some(dst) = kind.dst() {
                    let value = self.new_value();
                    self.values.insert(dst, value);
                }
            }
        }
    }

    /// At a cut point: which fields cannot be in one set.
    fn end(&self, seen: &mut Seen) {
        let held: Vec<(Cell, u32, u32)> =
            self.cells.iter().filter_map(|((cell, of), to)| Some((*cell, *of, (*to)?))).collect();
        for (i, &(f, a, b)) in held.iter().enumerate() {
            for &(g, c, d) in &held[..=i] {
                let shared = b == d && (f, a) != (g, c);
                let back = a == d && b == c;
                if shared || back {
                    seen.conflicts.extend([(f, g), (g, f)]);
                }
            }
        }
    }
}

impl Seen {
    /// Looks at all paths between cut points; nothing if there are too many.
    fn of(view: &ProgramVocabulary, body: &Body) -> Option<Seen> {
        let heads = cfg::loop_heads(body);
        let mut seen = Seen::default();
        let mut todo: Vec<(BlockId, Track)> =
            heads.iter().copied().chain([body.entry]).map(|b| (b, Track::default())).collect();
        let mut paths = 0;
        while let Some((block, mut track)) = todo.pop() {
            let block = body.block(block);
            block.instrs.iter().for_each(|instr| track.instr(view, instr, &mut seen));
            let next: Vec<BlockId> = match &block.term {
                Terminator::Goto(target) => vec![*target],
                Terminator::Branch { then, els, .. } => vec![*then, *els],
                Terminator::Return(_)
                | Terminator::Exit
                | Terminator::ExitFreed
                | Terminator::Abort => Vec::new(),
            };
            if next.is_empty() {
                track.end(&mut seen);
            }
            for target in next {
                paths += 1;
                if paths > MOST_PATHS {
                    return None;
                }
                match heads.contains(&target) {
                    true => track.end(&mut seen),
                    false => todo.push((target, track.clone())),
                }
            }
        }
        Some(seen)
    }
}
