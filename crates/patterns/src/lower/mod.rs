//! From a heap program without calls to the small language of [`crate::program`].
//!
//! * `scan`: records, variables, constants
//! * `code`: instructions; `expr`: expressions; `fact`: contract formulas
//! * `live`: which variables matter at the start of a block
//!
//! **Invariant:** what has no words is refused: at once where the inputs are concerned, else where
//! the code gets there ([`Op::Unsupported`]).

mod code;
mod expr;
mod fact;
mod live;
mod scan;

use trellis_program::checks::Point;
use trellis_program::{BlockId, CheckKind, CheckSet, ProcId, Program, Refusal, Span, cfg};

use crate::program::{Block, Exit, Fact, Op, PatternProgram, Step};
use crate::words::{PatternWords, Slot};

/// What the user asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The checks that are on.
    pub checks: CheckSet,
    /// Whether `malloc` may also return null.
    pub malloc_may_fail: bool,
}

/// The small-language form of a procedure without calls.
///
/// # Errors
/// If inputs, types or checks have no words here.
pub fn lower(
    program: &Program,
    proc: ProcId,
    settings: &Settings,
) -> Result<PatternProgram, Refusal> {
    let procedure = program.proc(proc);
    let Some(body) = &procedure.body else {
        return Err(Refusal::at(procedure.span, "a procedure without a body"));
    };
    if settings.checks.contains(CheckKind::Acyclic) {
        return Err(Refusal::at(procedure.span, "checks for cycles"));
    }
    let words = scan::words(program, proc, settings)?;
    let mut lowering = Lowering {
        program,
        proc,
        settings,
        words,
        steps: Vec::new(),
        point: Point { proc, block: body.entry, instr: 0 },
        span: procedure.span,
    };
    let mut blocks: Vec<Block> = Vec::new();
    for block in (0..body.blocks.len() as u32).map(BlockId) {
        blocks.push(lowering.block(block));
    }
    let (requires, left_out) = lowering.requires();
    let words = lowering.words;
    live::mark(program, proc, &words, settings, &mut blocks);
    Ok(PatternProgram {
        proc,
        words,
        blocks,
        entry: body.entry.0 as usize,
        heads: cfg::loop_heads(body).into_iter().map(|b| b.0 as usize).collect(),
        checks_leaks: settings.checks.contains(CheckKind::Leak),
        checks_overflow: settings.checks.contains(CheckKind::Overflow),
        checks_uninit: settings.checks.contains(CheckKind::Uninit),
        requires,
        left_out,
    })
}

/// Why something has no words, as a noun phrase.
type Outside = String;

struct Lowering<'p> {
    program: &'p Program,
    proc: ProcId,
    settings: &'p Settings,
    words: PatternWords,
    /// The steps of the block being lowered.
    steps: Vec<Step>,
    /// Where the step being lowered stands.
    point: Point,
    span: Span,
}

impl Lowering<'_> {
    fn block(&mut self, id: BlockId) -> Block {
        let program = self.program;
        let code = program.proc(self.proc).body.as_ref().map(|b| b.block(id));
        let Some(code) = code else {
            return empty(self.span);
        };
        self.steps = Vec::new();
        for (i, instr) in code.instrs.iter().enumerate() {
            self.place(id, i as u32, instr.span);
            if let Err(reason) = self.instruction(&instr.kind) {
                self.push(Op::Unsupported(reason));
                return self.finish(Exit::Stop, code.span_at(0));
            }
        }
        self.place(id, code.instrs.len() as u32, code.term_span);
        let exit = self.terminator(&code.term).unwrap_or_else(|reason| {
            self.push(Op::Unsupported(reason));
            Exit::Stop
        });
        self.finish(exit, code.span_at(0))
    }

    /// The clauses of `requires`, conjunct by conjunct: what has words, and what has none.
    fn requires(&self) -> (Vec<Fact>, Vec<Refusal>) {
        let (mut facts, mut left_out) = (Vec::new(), Vec::new());
        for clause in &self.program.proc(self.proc).contract.requires {
            for part in fact::conjuncts(&clause.formula) {
                match self.fact(part, None) {
                    Ok(fact) => facts.push(fact),
                    Err(reason) => left_out.push(Refusal::at(clause.span, reason)),
                }
            }
        }
        (facts, left_out)
    }

    fn finish(&mut self, exit: Exit, span: Span) -> Block {
        Block { steps: std::mem::take(&mut self.steps), exit, ..empty(span) }
    }

    fn place(&mut self, block: BlockId, instr: u32, span: Span) {
        self.point = Point { proc: self.proc, block, instr };
        self.span = span;
    }

    fn push(&mut self, op: Op) {
        self.steps.push(Step { op, point: self.point, span: self.span });
    }

    /// The slot of a register.
    fn slot(reg: trellis_program::Reg) -> Slot {
        match reg {
            trellis_program::Reg::Local(v) => Slot::Local(v),
            trellis_program::Reg::Global(g) => Slot::Global(g),
        }
    }
}

fn empty(span: Span) -> Block {
    Block {
        steps: Vec::new(),
        exit: Exit::Stop,
        live_pointers: Vec::new(),
        live_scalars: Vec::new(),
        span,
    }
}
