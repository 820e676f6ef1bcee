//! From a heap program to the small language of lists.
//!
//! * `scan`: which record is the list node, and what a procedure can do to memory
//! * `code`: instructions; `calls`: calls and returns; `expr`: expressions
//! * `slots`: where registers are kept, for contracts ([`crate::contract`])
//!
//! Calls are inlined, so a recursive one is outside. Data in nodes is read as any value, because
//! an invariant of this engine is about shapes only; what that may hide (values never written) is
//! looked at by [`crate::initialised`].

mod calls;
mod code;
mod expr;
mod scan;
mod slots;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use trellis_program::checks::Point;
use trellis_program::ir::Init;
use trellis_program::{
    BlockId, CheckKind, CheckSet, ProcId, Program, Refusal, Reg, Span, Storage, VarId, cfg,
};

use crate::contract;
use crate::node::is_opaque;
use crate::program::{
    ANY_INT, BlockStart, Context, Exit, Fact, ListBlock, ListProgram, ListVar, MOST_CONSTANTS, Op,
    Slot, Step,
};
use scan::Effects;

/// What the user asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The checks that are on.
    pub checks: CheckSet,
    /// Whether `malloc` may also return null.
    pub malloc_may_fail: bool,
}

/// Most blocks times variables.
const MOST_SLOTS: usize = 50_000_000;
/// More activations than this are not inlined.
const MOST_CONTEXTS: usize = 256;

/// The small-language form of a procedure with a body.
pub fn lower(program: &Program, proc: ProcId, settings: &Settings) -> ListProgram {
    let mut lowering = Lowering::new(program, proc, settings);
    lowering.enter_procedure();
    while let Some(work) = lowering.queue.pop_front() {
        lowering.block(work);
    }
    let mut out = lowering.out;
    crate::initialised::mark(&mut out);
    crate::live::mark(&mut out);
    out
}

/// A block still to be lowered.
#[derive(Clone, Copy)]
struct Work {
    index: usize,
    at: BlockStart,
}

struct Lowering<'p> {
    program: &'p Program,
    settings: &'p Settings,
    out: ListProgram,
    queue: VecDeque<Work>,
    /// The blocks that have a number.
    numbers: BTreeMap<BlockStart, usize>,
    /// The loop heads of procedures that were entered.
    heads: BTreeMap<ProcId, BTreeSet<BlockId>>,
    /// Results of activations.
    results: Vec<Slot>,
    /// What the whole call graph does.
    effects: Effects,
    /// There may be nodes that no list variable reaches at entry.
    hidden: bool,
    /// The formula being lowered may say `ls` although nodes may be hidden.
    allow_segments: bool,
    /// The steps of the block being lowered.
    steps: Vec<Step>,
    /// Where the step being lowered stands.
    point: Point,
    span: Span,
}

impl<'p> Lowering<'p> {
    fn new(program: &'p Program, proc: ProcId, settings: &'p Settings) -> Lowering<'p> {
        let entry = program.body(proc).map_or(BlockId(0), |b| b.entry);
        let mut constants = scan::constants(program, proc);
        constants.truncate(MOST_CONSTANTS);
        let checks = settings.checks;
        Lowering {
            program,
            settings,
            out: ListProgram {
                proc,
                node: scan::node_type(program, proc),
                vars: Vec::new(),
                ints: Vec::new(),
                constants,
                contexts: Vec::new(),
                globals: Vec::new(),
                blocks: Vec::new(),
                inputs: Vec::new(),
                copies: Vec::new(),
                nulls: Vec::new(),
                int_inputs: Vec::new(),
                requires: Vec::new(),
                of_lists: Vec::new(),
                left_out: Vec::new(),
                track_garbage: checks.contains(CheckKind::Leak)
                    || checks.contains(CheckKind::Acyclic)
                    || scan::looks_at_all_nodes(program, proc),
            },
            queue: VecDeque::new(),
            numbers: BTreeMap::new(),
            heads: BTreeMap::new(),
            results: Vec::new(),
            effects: scan::effects(program, proc),
            hidden: false,
            allow_segments: false,
            steps: Vec::new(),
            point: Point { proc, block: entry, instr: 0 },
            span: program.proc(proc).span,
        }
    }

    /// The procedure's own activation, its inputs and its precondition.
    fn enter_procedure(&mut self) {
        let proc = self.out.proc;
        self.add_globals();
        self.open_context(proc, None, None);
        let of = self.program.proc(proc);
        for v in 0..of.params {
            match self.out.contexts[0].vars[v] {
                // Refused where it is mentioned at all.
                Slot::List(_) if is_opaque(&self.program.types, of.vars[v].ty) => {}
                Slot::List(x) => self.out.inputs.push(x),
                Slot::Int(i) => self.out.int_inputs.push((i, ANY_INT)),
                Slot::None => {}
            }
        }
        self.out.copies = self.keep_entry_values(0);
        let body = self.program.body(proc).expect("only bodies are lowered");
        let at = BlockStart { context: 0, block: body.entry, instr: 0 };
        let first = self.number(at);
        debug_assert_eq!(first, 0);
        self.hidden = self.may_hide_nodes();
        for (i, clause) in self.program.proc(proc).contract.requires.iter().enumerate() {
            for part in clause.formula.conjuncts() {
                // A hidden node can only make `ls` false, so to assume it leaves no heap out.
                self.allow_segments = contract::is_segment(part);
                let lowered = contract::fact(&self.slots(0), part);
                self.allow_segments = false;
                match lowered {
                    Ok(fact) => {
                        if !fact.any(&mut |f| matches!(f, Fact::Cmp(..))) {
                            self.out.of_lists.push(part.clone());
                        }
                        self.out.requires.push(fact);
                    }
                    Err(reason) => self.out.left_out.push(
                        Refusal::at(clause.span, reason)
                            .with_label(format!("clause {} of `requires`", i + 1)),
                    ),
                }
            }
        }
    }

    /// Globals in registers that the code or the contracts use.
    fn add_globals(&mut self) {
        let whole = self.program.is_whole_program(self.out.proc);
        for (i, global) in self.program.globals.iter().enumerate() {
            let id = trellis_program::GlobalId(i as u32);
            let reg = Reg::Global(id);
            if global.storage != Storage::Register || !self.effects.globals.contains(&id) {
                continue;
            }
            let slot = self.new_slot(global.ty, global.name.clone(), false);
            self.out.globals.push((reg, slot));
            let fixed = whole || global.is_const;
            let value = global.init.first().map(|(_, _, init)| *init);
            match (slot, fixed) {
                (Slot::List(x), false) => self.out.inputs.push(x),
                // A pointer to another global has no place among lists: `outside_at_entry`.
                (Slot::List(x), true)
                    if matches!(value, None | Some(Init::Null | Init::Int(0))) =>
                {
                    self.out.nulls.push(x);
                }
                (Slot::Int(n), false) => self.out.int_inputs.push((n, ANY_INT)),
                (Slot::Int(n), true) => {
                    let value = match value {
                        Some(Init::Int(v)) => self.out.code(v),
                        Some(Init::Addr(..)) => ANY_INT,
                        Some(Init::Null) | None => self.out.code(0),
                    };
                    self.out.int_inputs.push((n, value));
                }
                (Slot::List(_) | Slot::None, _) => {}
            }
        }
    }

    /// A place for a register of a type.
    fn new_slot(&mut self, ty: trellis_program::TypeId, name: String, is_temp: bool) -> Slot {
        if self.is_list_pointer(ty) {
            self.out.vars.push(ListVar { name, is_temp });
            return Slot::List(self.out.vars.len() - 1);
        }
        if self.program.types.scalar(ty).is_none() {
            return Slot::None;
        }
        self.out.ints.push(name);
        Slot::Int(self.out.ints.len() - 1)
    }

    /// A new activation.
    fn open_context(
        &mut self,
        proc: ProcId,
        caller: Option<(usize, BlockId, u32)>,
        result: Option<Reg>,
    ) -> usize {
        let id = self.out.contexts.len();
        let of = self.program.proc(proc);
        let prefix = if id == 0 { String::new() } else { format!("{}.", of.name) };
        let mut vars = Vec::new();
        for var in &of.vars {
            vars.push(match var.storage {
                Storage::Register => {
                    self.new_slot(var.ty, format!("{prefix}{}", var.name), var.is_temp)
                }
                Storage::Object => Slot::None,
            });
        }
        let returned = self.new_slot(of.ret, format!("{prefix}\\result"), id != 0);
        self.results.push(returned);
        let entry = vec![Slot::None; of.params];
        self.out.contexts.push(Context { proc, caller, result, vars, entry });
        id
    }

    /// The number of the block that begins somewhere; it is lowered later.
    fn number(&mut self, at: BlockStart) -> usize {
        if let Some(&index) = self.numbers.get(&at) {
            return index;
        }
        let index = self.out.blocks.len();
        let proc = self.out.contexts[at.context].proc;
        let body = self.program.body(proc).expect("only bodies are entered");
        let heads = self.heads.entry(proc).or_insert_with(|| cfg::loop_heads(body));
        let is_loop_head = at.instr == 0 && heads.contains(&at.block);
        self.out.blocks.push(ListBlock {
            at,
            is_loop_head,
            steps: Vec::new(),
            exit: Exit::Stop,
            live_vars: Vec::new(),
            live_ints: Vec::new(),
        });
        self.numbers.insert(at, index);
        self.queue.push_back(Work { index, at });
        index
    }

    /// The place itself, or where the user calls the model that it lies in.
    fn in_user_text(&self, mut context: usize, mut span: Span) -> Span {
        while self.program.sources.is_model(span) {
            let Some((caller, block, next)) = self.out.contexts[context].caller else { break };
            let body = self.program.body(self.out.contexts[caller].proc);
            let call = body.and_then(|b| b.block(block).instrs.get(next as usize - 1));
            let Some(call) = call else { break };
            (context, span) = (caller, call.span);
        }
        span
    }

    fn block(&mut self, work: Work) {
        let BlockStart { context, block, instr } = work.at;
        let proc = self.out.contexts[context].proc;
        let body = self.program.body(proc).expect("only bodies are entered");
        let code = body.block(block);
        self.steps = Vec::new();
        if self.out.blocks[work.index].is_loop_head
            && self.settings.checks.contains(CheckKind::Acyclic)
        {
            self.place(proc, block, 0, self.in_user_text(context, code.span_at(0)));
            self.acyclic();
        }
        if work.index == 0
            && let Some(Refusal { span, reason, .. }) = self.outside_at_entry()
        {
            self.place(proc, block, 0, span);
            self.push(Op::Unsupported(reason));
        }
        let mut exit = None;
        if self.is_too_large() {
            self.place(proc, block, instr, self.in_user_text(context, code.span_at(instr)));
            self.push(Op::Unsupported("a procedure of this size".to_owned()));
            exit = Some(Exit::Stop);
        }
        let rest = if exit.is_some() { &[][..] } else { &code.instrs };
        for (i, instr) in rest.iter().enumerate().skip(instr as usize) {
            self.place(proc, block, i as u32, self.in_user_text(context, instr.span));
            exit = self.instruction(context, &instr.kind);
            if exit.is_some() {
                break;
            }
        }
        let exit = exit.unwrap_or_else(|| {
            let span = self.in_user_text(context, code.term_span);
            self.place(proc, block, code.instrs.len() as u32, span);
            self.terminator(context, &code.term)
        });
        let lowered = &mut self.out.blocks[work.index];
        lowered.steps = std::mem::take(&mut self.steps);
        lowered.exit = exit;
    }

    /// Whether so much is kept of every variable at every block that nobody goes on.
    fn is_too_large(&self) -> bool {
        let variables = self.out.vars.len() + self.out.ints.len();
        self.out.blocks.len().saturating_mul(variables) > MOST_SLOTS
    }

    /// No node lies on a cycle; hidden ones, and other fields, are not looked at.
    fn acyclic(&mut self) {
        if self.hidden {
            let reason = "cycles where a node has other pointers, or is behind another type";
            self.push(Op::Unsupported(reason.to_owned()));
            return;
        }
        self.push(Op::Acyclic);
    }

    fn place(&mut self, proc: ProcId, block: BlockId, instr: u32, span: Span) {
        self.point = Point { proc, block, instr };
        self.span = span;
    }

    fn push(&mut self, op: Op) {
        self.steps.push(Step { op, point: self.point, span: self.span });
    }

    /// Where a register of an activation is kept.
    fn slot(&self, context: usize, reg: Reg) -> Slot {
        match reg {
            Reg::Local(VarId(v)) => self.out.contexts[context].vars[v as usize],
            Reg::Global(_) => {
                let found = self.out.globals.iter().find(|(r, _)| *r == reg);
                found.map_or(Slot::None, |(_, s)| *s)
            }
        }
    }
}
