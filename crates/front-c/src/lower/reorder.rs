//! Calls among the operands of one expression, in every order.
//!
//! `merge(sort(a), sort(b))`: C does not say which call comes first, but the two never mix. So where
//! all that can be told apart is the order of whole calls, the program does them in any order, by
//! its own choice.
//!
//! **Invariant:** whatever is not a straight line of loads, assignments and these calls, or depends
//! on more than one of the calls, is left alone, and the caller refuses it.

use std::collections::BTreeSet;

use trellis_program::ir::{
    Block, BlockId, Body, Expr, Instr, InstrKind, Procedure, Reg, Storage, Terminator, Var, VarId,
};
use trellis_program::source::Span;
use trellis_program::types::{IntKind, Scalar, TypeId};

/// Most calls whose orders are all followed.
const MOST: usize = 3;

/// Lets a procedure make some calls, which follow each other in a block, in every order. `false`, and
/// nothing is changed, if that is not known to be all that C allows.
pub fn in_every_order(procedure: &mut Procedure, calls: &[Span], truth: TypeId) -> bool {
    let Some(line) = procedure.body.as_ref().and_then(|body| Line::of(body, calls)) else {
        return false;
    };
    let var = VarId(procedure.vars.len() as u32);
    let temps = procedure.vars.iter().filter(|v| v.is_temp).count();
    procedure.vars.push(Var {
        name: format!("%{}", temps + 1),
        ty: truth,
        storage: Storage::Register,
        is_temp: true,
        is_ghost: false,
        is_const: false,
        span: calls[0],
    });
    let body = procedure.body.as_mut().expect("the line is in it");
    line.split(body, Reg::Local(var));
    true
}

/// The code from the first to the last of the calls.
struct Line {
    block: usize,
    first: usize,
    behind: usize,
    /// What depends on none of the calls.
    before: Vec<Instr>,
    /// Every call, and what depends on it.
    units: Vec<Vec<Instr>>,
}

impl Line {
    fn of(body: &Body, calls: &[Span]) -> Option<Line> {
        if calls.len() < 2 || calls.len() > MOST {
            return None;
        }
        let is_one = |i: &Instr| i.kind.callee().is_some() && calls.contains(&i.span);
        let mut places = Vec::new();
        for (b, block) in body.blocks.iter().enumerate() {
            let here = block.instrs.iter().enumerate().filter(|(_, i)| is_one(i));
            places.extend(here.map(|(at, _)| (b, at)));
        }
        let (&(block, first), &(last_block, last)) = (places.first()?, places.last()?);
        // A macro's calls have one place.
        if places.len() != calls.len() || block != last_block {
            return None;
        }
        let code = &body.blocks[block].instrs[first..=last];
        if !is_in_plain_order(code) {
            return None;
        }
        let mut line =
            Line { block, first, behind: last + 1, before: Vec::new(), units: Vec::new() };
        let mut results: Vec<BTreeSet<Reg>> = Vec::new();
        for instr in code {
            let read = registers_read(instr);
            let mut needed = (0..results.len()).filter(|u| !results[*u].is_disjoint(&read));
            let unit = needed.next();
            match &instr.kind {
                InstrKind::Call { .. } if is_one(instr) && unit.is_none() => {
                    results.push(instr.kind.dst().into_iter().collect());
                    line.units.push(vec![instr.clone()]);
                }
                InstrKind::Load { .. } | InstrKind::Assign { .. } if needed.next().is_none() => {
                    match unit {
                        Some(u) => {
                            results[u].extend(instr.kind.dst());
                            line.units[u].push(instr.clone());
                        }
                        None => line.before.push(instr.clone()),
                    }
                }
                _ => return None,
            }
        }
        Some(line)
    }

    /// Puts a choice of the order in the place of the code.
    fn split(self, body: &mut Body, choice: Reg) {
        let block = &mut body.blocks[self.block];
        let rest = block.instrs.split_off(self.behind);
        let as_written = block.instrs.split_off(self.first);
        let (span, term_span) = (as_written[0].span, block.term_span);
        let term = std::mem::replace(&mut block.term, Terminator::Abort);
        let mut add = |block: Block| {
            body.blocks.push(block);
            BlockId(body.blocks.len() as u32 - 1)
        };
        let rest = add(Block { instrs: rest, term, term_span });
        let mut codes = vec![as_written];
        for order in orders(self.units.len()).into_iter().skip(1) {
            let units = order.into_iter().flat_map(|u| self.units[u].iter());
            codes.push(self.before.iter().chain(units).cloned().collect());
        }
        let ways: Vec<BlockId> = codes
            .into_iter()
            .map(|instrs| add(Block { instrs, term: Terminator::Goto(rest), term_span: span }))
            .collect();
        // One choice after the other, from the last one backwards.
        let scalar = Scalar::Int(IntKind::BOOL);
        let havoc = || Instr { kind: InstrKind::Havoc { dst: choice, scalar }, span };
        let mut els = ways[ways.len() - 1];
        for then in ways[1..ways.len() - 1].iter().rev() {
            let term = Terminator::Branch { cond: Expr::Reg(choice), then: *then, els };
            els = add(Block { instrs: vec![havoc()], term, term_span: span });
        }
        let block = &mut body.blocks[self.block];
        block.instrs.push(havoc());
        // The first choice is 0, and the order as it is written.
        block.term = Terminator::Branch { cond: Expr::Reg(choice), then: els, els: ways[0] };
        block.term_span = span;
    }
}

/// Whether nothing is written twice, or after it was read: then only what is read from the code
/// itself keeps it in its order.
fn is_in_plain_order(code: &[Instr]) -> bool {
    let mut touched = BTreeSet::new();
    code.iter().all(|instr| {
        touched.extend(registers_read(instr));
        instr.kind.dst().is_none_or(|dst| touched.insert(dst))
    })
}

fn registers_read(instr: &Instr) -> BTreeSet<Reg> {
    let mut read = BTreeSet::new();
    for e in instr.kind.exprs() {
        e.visit(&mut |e| {
            if let Expr::Reg(r) | Expr::Addr(r) = e {
                read.insert(*r);
            }
        });
    }
    read
}

/// All orders of so many things, the plain one first.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..count {
        for rest in orders(count - 1) {
            let rest = rest.into_iter().map(|i| if i < first { i } else { i + 1 });
            all.push(std::iter::once(first).chain(rest).collect());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::orders;

    #[test]
    fn orders_of_three() {
        let all = orders(3);
        assert_eq!(all[0], [0, 1, 2]);
        assert_eq!(all.len(), 6);
        let distinct: std::collections::BTreeSet<_> = all.into_iter().collect();
        assert_eq!(distinct.len(), 6);
    }
}
