//! Cut points, and what of the state matters there.
//!
//! **Invariant.** A symbol that a path from a cut point can read matters there. Where there are trees,
//! so does what a loop leaves as it is: see `is_anchor`.

use std::collections::BTreeSet;

use trellis_logic::{FunId, RelId};
use trellis_program::view::{Kind, Spot};
use trellis_program::{BlockId, Body, Reg, Span, cfg};

use crate::execute::Builder;
use crate::symbols::{Flag, RegSymbol, Symbols};
use crate::system::{Location, LocationId};

impl Builder<'_> {
    /// At the entry every symbol is its entry copy.
    pub(super) fn entry(&self, body: &Body) -> Location {
        let proc = self.program.proc(self.symbols.view.proc);
        let mut location = Location::new(body.entry, proc.span);
        for (reg, twin) in &self.symbols.regs {
            if self.is_given(*reg) {
                location.add(twin.entry);
            }
        }
        for (reg, (fun, _)) in &self.symbols.addresses {
            if matches!(reg, Reg::Global(_)) {
                location.constants.push(*fun);
            }
        }
        location.constants.extend(self.symbols.held.iter().map(|h| h.fun));
        location.add_heap(&self.symbols, true, &self.undefined_at_cuts);
        location
    }

    /// What of the state matters at a loop head.
    pub(super) fn loop_head(&self, block: BlockId, body: &Body, live: &[bool]) -> Location {
        let mut location = Location::new(block, body.block(block).term_span);
        for (reg, twin) in &self.symbols.regs {
            let alive = match reg {
                Reg::Local(v) => {
                    live.get(v.0 as usize).copied().unwrap_or(false)
                        || self.is_anchor(*reg, block, body)
                }
                Reg::Global(_) => true,
            };
            if alive {
                location.add(twin.now);
            }
            if self.is_given(*reg) {
                location.add(twin.entry);
            }
            if alive
                && let Some(unset) = self.symbols.unset.get(reg)
                && self.undefined_at_cuts.contains(unset)
            {
                location.propositions.push(*unset);
            }
        }
        location.constants.extend(self.symbols.addresses.values().map(|(fun, _)| *fun));
        location.constants.extend(self.symbols.held.iter().map(|h| h.fun));
        location.add_heap(&self.symbols, false, &self.undefined_at_cuts);
        location
    }

    /// Whether a variable of the user points into a tree and stays as it is in a loop. No code may
    /// read it any more, but an invariant can: without a name for the root it would have to say that
    /// there is one, which is not universal.
    fn is_anchor(&self, reg: Reg, head: BlockId, body: &Body) -> bool {
        let Reg::Local(v) = reg else { return false };
        let families: Vec<usize> = self
            .symbols
            .pointers
            .iter()
            .filter(|f| f.set.is_some())
            .map(|f| f.cell.family)
            .collect();
        let is_node = match self.symbols.view.reg(reg).map(|r| r.kind) {
            Ok(Kind::Ptr(Spot::At { family, .. })) => families.contains(&family),
            _ => false,
        };
        if !is_node || self.program.proc(self.symbols.view.proc).var(v).is_temp {
            return false;
        }
        let changes = |b: BlockId| body.block(b).instrs.iter().any(|i| i.kind.dst() == Some(reg));
        // One that may have no value there yet says nothing.
        if !self.is_given(reg) && reached_by(body, body.entry, |b| !changes(b)).contains(&head) {
            return false;
        }
        let blocks = reached(body, head);
        let mut blocks = blocks.into_iter().filter(|b| reached(body, *b).contains(&head));
        !blocks.any(changes)
    }

    /// Whether a variable has a value at the entry.
    pub(crate) fn is_given(&self, reg: Reg) -> bool {
        let params = self.program.proc(self.symbols.view.proc).params;
        match reg {
            Reg::Local(v) => (v.0 as usize) < params,
            Reg::Global(_) => true,
        }
    }

    pub(crate) fn pointers_at(&self, at: LocationId) -> Vec<FunId> {
        let constants = &self.locations[at.0].constants;
        let obj = self.symbols.obj;
        constants.iter().copied().filter(|f| self.logic.fun(*f).result == obj).collect()
    }
}

/// The blocks that can be come to from one, itself included.
fn reached(body: &Body, from: BlockId) -> BTreeSet<BlockId> {
    reached_by(body, from, |_| true)
}

/// The same, where some blocks only are passed.
fn reached_by(body: &Body, from: BlockId, passes: impl Fn(BlockId) -> bool) -> BTreeSet<BlockId> {
    let (mut seen, mut todo) = (BTreeSet::from([from]), vec![from]);
    while let Some(block) = todo.pop() {
        if passes(block) {
            todo.extend(cfg::successors(&body.block(block).term).filter(|b| seen.insert(*b)));
        }
    }
    seen
}

impl Location {
    fn new(block: BlockId, span: Span) -> Location {
        Location {
            block,
            span,
            constants: Vec::new(),
            propositions: Vec::new(),
            relations: Vec::new(),
            functions: Vec::new(),
        }
    }

    /// Whether a variable matters there.
    pub fn has(&self, symbol: RegSymbol) -> bool {
        match symbol {
            RegSymbol::Ptr(fun) | RegSymbol::Int(Flag::Data(fun)) => self.constants.contains(&fun),
            RegSymbol::Int(Flag::Truth(rel)) => self.propositions.contains(&rel),
        }
    }

    fn add(&mut self, symbol: RegSymbol) {
        match symbol {
            RegSymbol::Ptr(fun) | RegSymbol::Int(Flag::Data(fun)) => {
                if !self.constants.contains(&fun) {
                    self.constants.push(fun);
                }
            }
            RegSymbol::Int(Flag::Truth(rel)) => {
                if !self.propositions.contains(&rel) {
                    self.propositions.push(rel);
                }
            }
        }
    }

    fn add_heap(&mut self, symbols: &Symbols, entry: bool, undefined: &BTreeSet<RelId>) {
        let mut relation = |now: RelId, then: RelId| {
            if !entry {
                self.relations.push(now);
            }
            if entry || now != then {
                self.relations.push(then);
            }
        };
        relation(symbols.alloc.now, symbols.alloc.entry);
        for field in &symbols.pointers {
            relation(field.relation.now, field.relation.entry);
            if let Some(edge) = field.edge {
                relation(edge.now, edge.entry);
            }
        }
        for field in &symbols.integers {
            if let (Flag::Truth(now), Flag::Truth(then)) = (field.now, field.entry) {
                relation(now, then);
            }
        }
        for field in &symbols.integers {
            if let (Flag::Data(now), Flag::Data(then)) = (field.now, field.entry) {
                if !entry {
                    self.functions.push(now);
                }
                if entry || now != then {
                    self.functions.push(then);
                }
            }
        }
        if !entry {
            let cells = symbols.undefined().into_iter();
            self.relations.extend(cells.filter(|u| undefined.contains(u)));
        }
        self.relations.extend(symbols.marks.values());
        self.relations.extend(symbols.types.values());
    }
}
