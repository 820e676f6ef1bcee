//! Building control-flow graphs, and tidying them for readers.

use trellis_program::cfg::successors;
use trellis_program::ir::{Block, BlockId, Body, Expr, Instr, InstrKind, Terminator};
use trellis_program::source::Span;

#[derive(Debug, Default)]
struct Draft {
    instrs: Vec<Instr>,
    term: Option<(Terminator, Span)>,
}

/// How much code has been emitted.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

/// A control-flow graph under construction.
#[derive(Debug, Default)]
pub struct Builder {
    /// What was emitted when: the instruction of a block, or its end.
    log: Vec<(BlockId, Option<usize>)>,
    blocks: Vec<Draft>,
    /// Blocks in the order in which their code begins in the source.
    order: Vec<BlockId>,
    /// The block that instructions go to; none after a jump.
    current: Option<BlockId>,
}

impl Builder {
    /// A new block, not yet placed.
    pub fn block(&mut self) -> BlockId {
        self.blocks.push(Draft::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Code from here on goes to `block`; an open block falls through into it.
    pub fn start(&mut self, block: BlockId, span: Span) {
        self.end(Terminator::Goto(block), span);
        self.order.push(block);
        self.current = Some(block);
    }

    /// Leaves the open block without an end; it must be resumed.
    pub fn leave(&mut self) {
        self.current = None;
    }

    /// Goes on in a block that was started before and has no end yet.
    pub fn resume(&mut self, block: BlockId) {
        self.current = Some(block);
    }

    /// Adds an instruction; after a jump it goes to a new block that nothing reaches.
    pub fn push(&mut self, kind: InstrKind, span: Span) {
        let block = self.here();
        let instrs = &mut self.blocks[block.0 as usize].instrs;
        self.log.push((block, Some(instrs.len())));
        instrs.push(Instr { kind, span });
    }

    /// Where the code that comes next begins.
    pub fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Looks at the code between two marks: its instructions, and the conditions of its branches.
    pub fn emitted(
        &self,
        from: Mark,
        to: Mark,
        mut instr: impl FnMut(&Instr),
        mut condition: impl FnMut(&Expr),
    ) {
        for (block, at) in &self.log[from.0..to.0] {
            let draft = &self.blocks[block.0 as usize];
            match at {
                Some(i) => instr(&draft.instrs[*i]),
                None => {
                    let term = draft.term.as_ref().and_then(|(t, _)| t.expr());
                    term.into_iter().for_each(&mut condition);
                }
            }
        }
    }

    /// Ends the open block, if there is one.
    pub fn end(&mut self, term: Terminator, span: Span) {
        if let Some(block) = self.current.take() {
            self.log.push((block, None));
            self.blocks[block.0 as usize].term = Some((term, span));
        }
    }

    /// The open block; a new one after a jump.
    pub fn here(&mut self) -> BlockId {
        match self.current {
            Some(block) => block,
            None => {
                let block = self.block();
                self.order.push(block);
                self.current = Some(block);
                block
            }
        }
    }

    /// Whether code can fall through to here.
    pub fn is_open(&self) -> bool {
        self.current.is_some()
    }

    /// Whether anything was emitted: more than one block, or an instruction.
    pub fn is_pure(&self) -> bool {
        self.blocks.len() <= 1 && self.blocks.iter().all(|b| b.instrs.is_empty())
    }

    /// Places `block` here without falling through into it, and goes on there.
    pub fn open(&mut self, block: BlockId) {
        self.place(block);
        self.current = Some(block);
    }

    /// Places `block` here; its code comes later.
    pub fn place(&mut self, block: BlockId) {
        self.order.push(block);
    }

    /// Places `block` right after `after` in the source order and goes on there.
    pub fn start_after(&mut self, block: BlockId, after: BlockId) {
        let at = self.order.iter().position(|b| *b == after).map_or(self.order.len(), |i| i + 1);
        self.order.insert(at, block);
        self.current = Some(block);
    }

    /// The graph as it stands, blocks under their own numbers.
    pub fn raw(&self, entry: BlockId, end_span: Span) -> Body {
        let blocks = self
            .blocks
            .iter()
            .map(|d| Block {
                instrs: d.instrs.clone(),
                term: d.term.as_ref().map_or(Terminator::Abort, |t| t.0.clone()),
                term_span: end_span,
            })
            .collect();
        Body { blocks, entry, end_span }
    }

    /// The finished graph: only reachable blocks, straight lines in one block, in source order.
    pub fn finish(mut self, entry: BlockId, end_span: Span) -> Body {
        let entry = self.thread_jumps(entry);
        self.merge_lines(entry);
        let reachable = self.reachable(entry);
        let mut number = vec![u32::MAX; self.blocks.len()];
        let order: Vec<BlockId> = std::iter::once(entry)
            .chain(self.order.iter().copied().filter(|b| *b != entry))
            .filter(|b| reachable[b.0 as usize])
            .collect();
        for (next, b) in order.iter().enumerate() {
            number[b.0 as usize] = next as u32;
        }
        let renumber = |b: BlockId| BlockId(number[b.0 as usize]);
        let blocks = order
            .iter()
            .map(|b| {
                let draft = std::mem::take(&mut self.blocks[b.0 as usize]);
                let (term, term_span) = draft.term.unwrap_or((Terminator::Abort, end_span));
                Block { instrs: draft.instrs, term: map_targets(term, renumber), term_span }
            })
            .collect();
        Body { blocks, entry: renumber(entry), end_span }
    }

    /// Jumps to an empty block that only jumps on go to its target at once. Returns the entry.
    fn thread_jumps(&mut self, entry: BlockId) -> BlockId {
        let target: Vec<BlockId> =
            (0..self.blocks.len() as u32).map(|b| self.final_target(BlockId(b))).collect();
        for draft in &mut self.blocks {
            if let Some((term, _)) = &mut draft.term {
                *term = map_targets(term.clone(), |b| target[b.0 as usize]);
            }
        }
        target[entry.0 as usize]
    }

    fn final_target(&self, start: BlockId) -> BlockId {
        let mut at = start;
        for _ in 0..self.blocks.len() {
            let draft = &self.blocks[at.0 as usize];
            match &draft.term {
                Some((Terminator::Goto(next), _)) if draft.instrs.is_empty() && *next != at => {
                    at = *next;
                }
                _ => return at,
            }
        }
        // A cycle of empty blocks: its first block stands for all of it.
        let mut first = at;
        for _ in 0..self.blocks.len() {
            if let Some((Terminator::Goto(next), _)) = &self.blocks[at.0 as usize].term {
                at = *next;
                first = first.min(at);
            }
        }
        first
    }

    /// A block whose only predecessor does nothing but go to it becomes a part of it.
    fn merge_lines(&mut self, entry: BlockId) {
        let reachable = self.reachable(entry);
        let mut predecessors = vec![0u32; self.blocks.len()];
        predecessors[entry.0 as usize] += 1;
        for (b, draft) in self.blocks.iter().enumerate() {
            if let (true, Some((term, _))) = (reachable[b], &draft.term) {
                successors(term).for_each(|s| predecessors[s.0 as usize] += 1);
            }
        }
        for b in (0..self.blocks.len()).filter(|b| reachable[*b]) {
            while let Some((Terminator::Goto(next), _)) = &self.blocks[b].term {
                let n = next.0 as usize;
                if n == b || predecessors[n] != 1 {
                    break;
                }
                let tail = std::mem::take(&mut self.blocks[n]);
                predecessors[n] = 0;
                self.blocks[b].instrs.extend(tail.instrs);
                self.blocks[b].term = tail.term;
            }
        }
    }

    fn reachable(&self, entry: BlockId) -> Vec<bool> {
        let mut seen = vec![false; self.blocks.len()];
        let mut todo = vec![entry];
        while let Some(b) = todo.pop() {
            if !std::mem::replace(&mut seen[b.0 as usize], true)
                && let Some((term, _)) = &self.blocks[b.0 as usize].term
            {
                todo.extend(successors(term));
            }
        }
        seen
    }
}

fn map_targets(term: Terminator, f: impl Fn(BlockId) -> BlockId) -> Terminator {
    match term {
        Terminator::Goto(b) => Terminator::Goto(f(b)),
        Terminator::Branch { cond, then, els } => {
            Terminator::Branch { cond, then: f(then), els: f(els) }
        }
        other => other,
    }
}
