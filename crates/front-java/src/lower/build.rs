//! Control-flow graphs under construction.

use trellis_program::ir::{Block, BlockId, Body, Instr, InstrKind, Terminator};
use trellis_program::source::Span;

#[derive(Default)]
struct Draft {
    instrs: Vec<Instr>,
    term: Option<(Terminator, Span)>,
}

/// A graph under construction.
#[derive(Default)]
pub(crate) struct Builder {
    blocks: Vec<Draft>,
    /// The block that instructions go to.
    current: usize,
}

impl Builder {
    pub(crate) fn new() -> Builder {
        Builder { blocks: vec![Draft::default()], current: 0 }
    }

    /// A block that nothing leads to yet.
    pub(crate) fn block(&mut self) -> BlockId {
        self.blocks.push(Draft::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Code from here on goes to `block`; an open block falls through into it.
    pub(crate) fn start(&mut self, block: BlockId, span: Span) {
        self.end(Terminator::Goto(block), span);
        self.current = block.0 as usize;
    }

    pub(crate) fn push(&mut self, kind: InstrKind, span: Span) {
        let draft = &mut self.blocks[self.current];
        // After a jump, code goes nowhere.
        if draft.term.is_none() {
            draft.instrs.push(Instr { kind, span });
        }
    }

    /// Ends the open block, if it has no end yet.
    pub(crate) fn end(&mut self, term: Terminator, span: Span) {
        self.blocks[self.current].term.get_or_insert((term, span));
    }

    /// Whether some run gets to where code goes now.
    pub(crate) fn is_reached(&self) -> bool {
        self.blocks[self.current].term.is_none() && self.reached()[self.current]
    }

    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.blocks.len()];
        let mut todo = vec![0];
        while let Some(i) = todo.pop() {
            if !std::mem::replace(&mut reached[i], true) {
                todo.extend(targets(&self.blocks[i]).into_iter().map(|b| b.0 as usize));
            }
        }
        reached
    }

    /// The blocks that can be reached, numbered from the entry in the order of the code.
    pub(crate) fn finish(mut self, end_span: Span) -> Body {
        self.shorten();
        let reached = self.reached();
        let mut number = vec![BlockId(0); self.blocks.len()];
        let mut count = 0;
        for (i, r) in reached.iter().enumerate() {
            if *r {
                number[i] = BlockId(count);
                count += 1;
            }
        }
        let renumber = |b: BlockId| number[b.0 as usize];
        let kept = self.blocks.into_iter().zip(&reached).filter(|(_, r)| **r);
        let blocks = kept
            .map(|(draft, _)| {
                let (term, term_span) = draft.term.unwrap_or((Terminator::Abort, end_span));
                let term = match term {
                    Terminator::Goto(b) => Terminator::Goto(renumber(b)),
                    Terminator::Branch { cond, then, els } => {
                        Terminator::Branch { cond, then: renumber(then), els: renumber(els) }
                    }
                    other => other,
                };
                Block { instrs: draft.instrs, term, term_span }
            })
            .collect();
        Body { blocks, entry: BlockId(0), end_span }
    }

    /// Jumps to blocks that only jump on go to where those lead.
    fn shorten(&mut self) {
        let lead: Vec<Option<BlockId>> = self
            .blocks
            .iter()
            .map(|d| match &d.term {
                Some((Terminator::Goto(b), _)) if d.instrs.is_empty() => Some(*b),
                _ => None,
            })
            .collect();
        let last = |mut b: BlockId| {
            for _ in 0..lead.len() {
                match lead[b.0 as usize] {
                    Some(next) if next != b => b = next,
                    _ => break,
                }
            }
            b
        };
        for draft in &mut self.blocks {
            match &mut draft.term {
                Some((Terminator::Goto(b), _)) => *b = last(*b),
                Some((Terminator::Branch { then, els, .. }, _)) => {
                    (*then, *els) = (last(*then), last(*els));
                }
                _ => {}
            }
        }
    }
}

fn targets(draft: &Draft) -> Vec<BlockId> {
    match &draft.term {
        Some((Terminator::Goto(b), _)) => vec![*b],
        Some((Terminator::Branch { then, els, .. }, _)) => vec![*then, *els],
        _ => vec![],
    }
}
