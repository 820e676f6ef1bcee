//! Runs of the machine from one cut point to the next.

use trellis_program::concrete::{Chooser, Failure, Finish, State, Value};
use trellis_program::{BlockId, Cond, Expr, InstrKind, Reg, Storage, Terminator};
use trellis_transys::LocationId;

use crate::{Simulation, facts};

/// Most instructions between two cut points.
const LENGTH: usize = 400;

/// Chooses as in a list, then always the first.
#[derive(Default)]
pub struct Choices {
    list: Vec<(u32, u32)>,
    at: usize,
}

impl Chooser for Choices {
    fn choose(&mut self, options: u32) -> u32 {
        if self.at == self.list.len() {
            self.list.push((0, options));
        }
        let pick = self.list[self.at].0;
        self.at += 1;
        pick
    }
}

impl Choices {
    /// The next list; `false` if there is none.
    pub fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((pick, options)) = self.list.pop() {
            if pick + 1 < options {
                self.list.push((pick + 1, options));
                return true;
            }
        }
        false
    }
}

/// How a run between cut points ends.
#[derive(PartialEq, Eq)]
pub enum End {
    At(LocationId),
    Failed(Failure),
    Returned,
    /// Nothing is left to say.
    Stopped,
    Unsupported(String),
}

/// What the machine did between two cut points.
pub struct Run {
    pub end: End,
    /// The blocks that it was in, one after the other.
    pub blocks: Vec<BlockId>,
    /// Whether something was chosen.
    pub chose: bool,
    /// Whether there was a cycle over a field that is seen through its closure.
    pub closes_cycle: bool,
    /// Whether what leads to the children of trees led elsewhere at a cut point or where a contract
    /// was looked at.
    pub shares: bool,
    /// Whether a value was read that was never written.
    pub reads_undefined: bool,
}

impl Run {
    /// A run without a step.
    pub fn nothing(end: End) -> Run {
        let blocks = Vec::new();
        Run {
            end,
            blocks,
            chose: false,
            closes_cycle: false,
            shares: false,
            reads_undefined: false,
        }
    }
}

impl Simulation<'_> {
    pub fn until_cut(&self, state: &mut State, choices: &mut Choices) -> Run {
        let mut run = Run::nothing(End::Stopped);
        for _ in 0..LENGTH {
            let block = state.top().block;
            let inside = state.frames.len() > 1;
            if run.blocks.last() != Some(&block) && !inside {
                run.blocks.push(block);
            }
            run.reads_undefined |= self.uses_undefined(state);
            let loaded = self.loads_into(state);
            run.shares |= self.looks_at_heap(state)
                && !inside
                && facts::is_no_forest(self.program, self.system, &state.memory);
            let finish = self.machine.step(state, choices);
            run.chose = choices.at > 0;
            if let Some(finish) = finish {
                run.end = match finish {
                    Finish::Failed(failure) => End::Failed(failure),
                    Finish::Unsupported { reason, .. } => End::Unsupported(reason),
                    Finish::Returned(_) => End::Returned,
                    Finish::Exited | Finish::Stopped | Finish::TooDeep => End::Stopped,
                };
                return run;
            }
            run.reads_undefined |= loaded.is_some_and(|dst| state.slot(dst) == Value::Undef);
            run.closes_cycle |= facts::has_cycle(self.program, self.system, &state.memory);
            if let Some(cut) = self.cut_at(state) {
                run.shares |= facts::is_no_forest(self.program, self.system, &state.memory);
                run.end = End::At(cut);
                return run;
            }
        }
        run
    }

    fn next_instr(&self, state: &State) -> Option<&InstrKind> {
        let frame = state.top();
        let body = self.program.proc(frame.proc).body.as_ref()?;
        let block = &body.blocks[frame.block.0 as usize];
        block.instrs.get(frame.instr as usize).map(|i| &i.kind)
    }

    /// Whether a contract is looked at next.
    fn looks_at_heap(&self, state: &State) -> bool {
        match self.next_instr(state) {
            Some(InstrKind::Assume { cond: Cond::Spec(_) })
            | Some(InstrKind::Assert { cond: Cond::Spec(_), .. })
            | None => true,
            Some(_) => false,
        }
    }

    /// Where the next instruction puts what it reads from memory.
    fn loads_into(&self, state: &State) -> Option<Reg> {
        match self.next_instr(state)? {
            InstrKind::Load { dst, .. } => Some(*dst),
            _ => None,
        }
    }

    /// Whether the next instruction or terminator reads a variable that has no value.
    fn uses_undefined(&self, state: &State) -> bool {
        let frame = state.top();
        let body = self.program.proc(frame.proc).body.as_ref().expect("only bodies are entered");
        let parts: Vec<&Expr> = match self.next_instr(state) {
            Some(instr) => operands(instr),
            None => match &body.blocks[frame.block.0 as usize].term {
                Terminator::Branch { cond, .. } => vec![cond],
                Terminator::Return(value) => value.iter().collect(),
                _ => vec![],
            },
        };
        parts.into_iter().any(|e| self.is_undefined(state, e))
    }

    fn is_undefined(&self, state: &State, e: &Expr) -> bool {
        match e {
            Expr::Int(_) | Expr::Null | Expr::Addr(_) => false,
            Expr::Reg(reg) => {
                self.storage(*reg) == Storage::Register && state.slot(*reg) == Value::Undef
            }
            Expr::Unary(_, _, a)
            | Expr::Not(a)
            | Expr::Convert(_, a)
            | Expr::ToPtr(a)
            | Expr::Offset(a, _)
            | Expr::Extent(a, _) => self.is_undefined(state, a),
            Expr::Binary(_, _, a, b)
            | Expr::Cmp(_, _, a, b)
            | Expr::Index { base: a, index: b, .. }
            | Expr::Diff(a, b, _) => self.is_undefined(state, a) || self.is_undefined(state, b),
        }
    }

    fn storage(&self, reg: Reg) -> Storage {
        match reg {
            Reg::Local(v) => self.program.proc(self.system.proc).var(v).storage,
            Reg::Global(g) => self.program.global(g).storage,
        }
    }
}

/// The expressions that an instruction evaluates.
fn operands(kind: &InstrKind) -> Vec<&Expr> {
    match kind {
        InstrKind::Assign { value, .. } => vec![value],
        InstrKind::Load { addr, .. } => vec![addr],
        InstrKind::Store { addr, value, .. } => vec![addr, value],
        InstrKind::Copy { dst, src, size, .. } => vec![dst, src, size],
        InstrKind::Fill { dst, byte, size } => vec![dst, byte, size],
        InstrKind::Alloc { size, .. } => vec![size],
        InstrKind::Retype { ptr, .. } | InstrKind::Free { ptr } => vec![ptr],
        InstrKind::Call { args, .. } => args.iter().collect(),
        InstrKind::Assume { cond: Cond::Expr(e) }
        | InstrKind::Assert { cond: Cond::Expr(e), .. } => {
            vec![e]
        }
        InstrKind::BeginArray { count, .. } => vec![count],
        InstrKind::BeginLocal { .. }
        | InstrKind::EndLocal { .. }
        | InstrKind::Havoc { .. }
        | InstrKind::Assume { cond: Cond::Spec(_) }
        | InstrKind::Assert { cond: Cond::Spec(_), .. }
        | InstrKind::Unsupported { .. } => vec![],
    }
}
