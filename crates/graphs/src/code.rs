//! Procedures made ready to be followed in graphs: which variables matter where, what is constant,
//! and what the program starts from.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::cfg;
use trellis_program::concrete::initial::{GlobalStart, global_memory};
use trellis_program::concrete::{
    self as machine, InitialHeap, Lifetime, Machine, MachineOptions, State,
};
use trellis_program::spec::{Assigns, Formula, Promise, Term};
use trellis_program::{
    BlockId, Body, CheckKind, CheckSet, Expr, Inlined, InstrKind, ProcId, Procedure, Program,
    Refusal, Reg, Scalar, Storage, Terminator,
};

use crate::arguments::{counts, strings};
use crate::eval::{Need, Stop, full};
use crate::graph::{Graph, Node, Object, Summary};
use crate::numbers::Relations;
use crate::step::bits_range;
use crate::value::{NodeId, Value};

/// More cells of a memory are not worth keeping apart.
pub(crate) const MOST_CELLS: usize = 1 << 14;

/// A whole program: the procedure that it begins with, and those that are called again and again.
pub struct Codes<'p> {
    /// What it begins with.
    pub main: Code<'p>,
    callees: BTreeMap<ProcId, Code<'p>>,
}

impl<'p> Codes<'p> {
    /// Prepares a whole program in which recursive calls are the only ones.
    ///
    /// # Errors
    /// What graphs cannot follow, wherever it stands.
    pub fn new(
        inlined: &'p Inlined,
        checks: CheckSet,
        malloc_may_fail: bool,
    ) -> Result<Codes<'p>, Refusal> {
        let program = &inlined.program;
        let code = |proc| Code::new(program, proc, checks, malloc_may_fail);
        let mut main = code(inlined.proc)?;
        main.begins()?;
        let mut callees = BTreeMap::new();
        for proc in cfg::recursive_procs(program, inlined.proc) {
            callees.insert(proc, code(proc)?.called()?);
        }
        let is_exit = |b: &trellis_program::Block| matches!(b.term, Terminator::Exit);
        let exits = |p: &ProcId| program.proc(*p).blocks().any(is_exit);
        let ends = |p: &ProcId| cfg::reachable_procs(program, *p).iter().any(exits);
        let ending: BTreeSet<ProcId> = callees.keys().copied().filter(ends).collect();
        for code in callees.values_mut().chain([&mut main]) {
            code.ending.clone_from(&ending);
        }
        Ok(Codes { main, callees })
    }

    /// Whether some code reads or writes single characters, or copies bytes in a number that it
    /// computes.
    pub fn look_at_characters(&self) -> bool {
        let is_byte = |s: &Scalar| matches!(s, Scalar::Int(kind) if kind.bits == 8);
        let looks = |i: &InstrKind| match i {
            InstrKind::Load { scalar, .. } | InstrKind::Store { scalar, .. } => is_byte(scalar),
            InstrKind::Copy { size, .. } | InstrKind::Fill { size, .. } => {
                !matches!(size, Expr::Int(_))
            }
            _ => false,
        };
        let codes = std::iter::once(&self.main).chain(self.callees.values());
        codes.flat_map(|c| &c.body.blocks).flat_map(|b| &b.instrs).any(|i| looks(&i.kind))
    }

    /// A procedure that is called, if it can be followed.
    pub fn callee(&self, proc: ProcId) -> Option<&Code<'p>> {
        self.callees.get(&proc)
    }

    /// A procedure that is called, by its name.
    pub fn find(&self, name: &str) -> Option<&Code<'p>> {
        self.callees.values().find(|c| c.program.proc(c.proc).name == name)
    }

    /// The one that has a procedure's code.
    pub fn of(&self, proc: ProcId) -> &Code<'p> {
        self.callees.get(&proc).unwrap_or(&self.main)
    }
}

/// A procedure that calls nothing but what is in [`Codes`].
pub struct Code<'p> {
    /// The program.
    pub program: &'p Program,
    /// The procedure.
    pub proc: ProcId,
    /// The checks that are on.
    pub checks: CheckSet,
    /// Whether `malloc` may return null.
    pub malloc_may_fail: bool,
    /// The loop heads.
    pub heads: BTreeSet<BlockId>,
    /// The blocks that are entered from several places.
    pub joins: BTreeSet<BlockId>,
    /// For every block, the locals that are read later.
    live: Vec<Vec<bool>>,
    /// For every block, whether a way leads from it to `exit`, where variables keep objects alive.
    to_exit: Vec<bool>,
    /// Whether it is called; else the program ends with it.
    pub(crate) is_callee: bool,
    /// The procedures that are called and may end the program.
    pub(crate) ending: BTreeSet<ProcId>,
    body: &'p Body,
}

impl<'p> Code<'p> {
    fn new(
        program: &'p Program,
        proc: ProcId,
        checks: CheckSet,
        malloc_may_fail: bool,
    ) -> Result<Code<'p>, Refusal> {
        let procedure = program.proc(proc);
        let Some(body) = &procedure.body else {
            return Err(Refusal::at(procedure.span, "a procedure without a body"));
        };
        let mut entered = vec![0u32; body.blocks.len()];
        for block in &body.blocks {
            cfg::successors(&block.term).for_each(|b| entered[b.0 as usize] += 1);
        }
        let several = |(i, n): (usize, &u32)| (*n > 1).then_some(BlockId(i as u32));
        let joins = entered.iter().enumerate().filter_map(several).collect();
        Ok(Code {
            program,
            proc,
            checks,
            malloc_may_fail,
            heads: cfg::loop_heads(body),
            joins,
            live: cfg::live_in(body, procedure.vars.len()),
            to_exit: leads_to_exit(body),
            is_callee: false,
            ending: BTreeSet::new(),
            body,
        })
    }

    /// Refuses what cannot be begun with: memory that somebody else has made, and contracts.
    fn begins(&self) -> Result<(), Refusal> {
        let (program, procedure) = (self.program, self.program.proc(self.proc));
        let refuse = |reason: &str| Err(Refusal::at(procedure.span, reason));
        if let Some(given) = given(program, self.proc) {
            return Err(given);
        }
        if program.is_collected() {
            return refuse("memory that is collected");
        }
        if program.predicates.iter().any(|p| p.body.is_none()) {
            return refuse("uninterpreted predicates");
        }
        if self.checks.contains(CheckKind::Acyclic) {
            return refuse("a check that there are no cycles");
        }
        Ok(())
    }

    /// The same for a procedure that is called; refuses what cannot be.
    fn called(self) -> Result<Code<'p>, Refusal> {
        let (types, procedure) = (&self.program.types, self.program.proc(self.proc));
        if !procedure.ret_is_void(types) && types.scalar(procedure.ret).is_none() {
            return Err(Refusal::at(procedure.span, "a recursive procedure that returns a struct"));
        }
        Ok(Code { is_callee: true, ..self })
    }

    /// Its code.
    pub fn body(&self) -> &'p Body {
        self.body
    }

    /// The graph that it starts from, with equations if it relates numbers: any numbers as arguments,
    /// strings of the host behind those of `main`; the globals of a whole program as
    /// initialised, those of a procedure that others call any numbers, too.
    ///
    /// # Errors
    /// If the memory of the program is outside of what graphs can follow.
    pub fn start(&self, relates: bool) -> Result<Graph, Refusal> {
        let options = MachineOptions { checks: self.checks, ..MachineOptions::default() };
        let machine = Machine::new(self.program, options);
        let params = self.program.proc(self.proc).params;
        let (memory, globals) = global_memory(self.program, global_start(self.program, self.proc));
        let args = vec![machine::Value::Int(0); params];
        let heap = InitialHeap { memory, globals, args };
        let state = machine.start(self.proc, &heap);
        let mut graph = self.of_state(&state, &[])?;
        graph.relations = relates.then(Relations::default);
        let types = &self.program.types;
        self.open_globals(&mut graph);
        let mut count = Value::Undef;
        for (i, var) in self.program.proc(self.proc).vars[..params].iter().enumerate() {
            let procedure = self.program.proc(self.proc);
            let any = match (i, types.scalar(var.ty), strings(types, var.ty)) {
                (0, Some(Scalar::Int(kind)), _) if takes_strings(self.program, self.proc) => {
                    count = graph.fresh(counts(procedure, kind));
                    count
                }
                (_, Some(Scalar::Int(kind)), _) => graph.fresh(full(kind)),
                (1, _, Some(element)) => graph.pass(types, element, count),
                // The environment.
                (2, _, Some(element)) => graph.pass(types, element, Value::Undef),
                _ => {
                    let what = "an argument of the program that is no integer";
                    return Err(Refusal::at(var.span, what));
                }
            };
            match (var.storage, graph.locals[i].place()) {
                (Storage::Object, Some(p)) => {
                    if let Node::Object(o) = graph.node_mut(p.node)
                        && let Some(cell) = o.cells.first_mut()
                    {
                        *cell = any;
                    }
                }
                _ => graph.locals[i] = any,
            }
        }
        Ok(graph)
    }

    /// Callers may have left any numbers in globals.
    fn open_globals(&self, graph: &mut Graph) {
        if global_start(self.program, self.proc) == GlobalStart::Initialised {
            return;
        }
        let types = &self.program.types;
        for (i, global) in self.program.globals.iter().enumerate().filter(|(_, g)| !g.is_const) {
            match (global.storage, graph.globals[i].place()) {
                (Storage::Object, Some(p)) => {
                    let count = graph.object(p).map_or(0, |o| o.cells.len());
                    let scalars = types.layout(global.ty).map_or(&[][..], |l| &l.cells);
                    let scalars = scalars.iter().cycle().take(count);
                    let any = scalars.map(|c| any_number(graph, c.scalar)).collect();
                    if let Node::Object(o) = graph.node_mut(p.node) {
                        o.cells = any;
                    }
                }
                _ => {
                    let scalar = types.scalar(global.ty);
                    graph.globals[i] = scalar.map_or(Value::Undef, |s| any_number(graph, s));
                }
            }
        }
    }

    /// A state of the machine in the procedure, whose callers hold some pointers, as a graph without
    /// summaries.
    ///
    /// # Errors
    /// If some bytes of it are no cells.
    pub fn of_state(&self, state: &State, held: &[machine::Value]) -> Result<Graph, Refusal> {
        let span = self.program.proc(self.proc).span;
        let mut graph = Graph::default();
        let memory = &state.memory;
        if memory.cells.len() > MOST_CELLS {
            return Err(Refusal::at(span, "large arrays"));
        }
        // Dead objects have no node; pointers to them lead nowhere.
        let mut number = vec![None; memory.objects.len()];
        for id in memory.ids().filter(|id| memory.object(*id).live) {
            number[id.0 as usize] =
                Some(graph.add(Node::Object(Object::of_machine(memory.object(id)))));
        }
        let lift = |v: machine::Value| match v {
            machine::Value::Undef | machine::Value::Open => Value::Undef,
            machine::Value::Null => Value::Null,
            machine::Value::Int(i) => Value::Int(i),
            machine::Value::Ptr(p) => match number[p.obj.0 as usize] {
                Some(node) => Value::to(node, p.off),
                None => Value::Freed,
            },
            machine::Value::Piece(..) | machine::Value::Bytes => Value::Mixed,
        };
        for id in memory.ids() {
            let Some(node) = number[id.0 as usize] else { continue };
            let cells = memory.cells_of(id).iter().map(|v| lift(*v)).collect();
            if let Node::Object(o) = graph.node_mut(node) {
                o.cells = cells;
            }
        }
        let frame = state.top();
        let vars = self.program.proc(self.proc).vars.len();
        let regs = &state.regs[frame.base as usize..][..vars];
        graph.locals = regs.iter().map(|v| lift(*v)).collect();
        graph.globals = state.globals.iter().map(|v| lift(*v)).collect();
        graph.held = held.iter().map(|v| lift(*v)).collect();
        self.recognise_passed(&mut graph, span)?;
        self.mark_constants(&mut graph);
        Ok(graph)
    }

    /// A state of the machine in which the procedure has returned a value.
    ///
    /// # Errors
    /// If some bytes of it are no cells.
    pub fn of_return(
        &self,
        state: &State,
        result: machine::Value,
        held: &[machine::Value],
    ) -> Result<Graph, Refusal> {
        let all: Vec<machine::Value> = held.iter().copied().chain([result]).collect();
        let mut graph = self.of_state(state, &all)?;
        let result = graph.held.pop().unwrap_or(Value::Undef);
        Ok(self.leave(&graph, result))
    }

    /// Notes which objects were declared as constant.
    fn mark_constants(&self, graph: &mut Graph) {
        let globals = self.program.globals.iter().zip(graph.globals.clone());
        let globals = globals.filter(|(g, _)| g.is_const && g.storage == Storage::Object);
        let vars = self.program.proc(self.proc).vars.iter().zip(graph.locals.clone());
        let vars = vars.filter(|(v, _)| v.is_const && v.storage == Storage::Object);
        let marked: Vec<Value> = globals.map(|(_, v)| v).chain(vars.map(|(_, v)| v)).collect();
        for place in marked.into_iter().filter_map(Value::place) {
            if let Node::Object(o) = graph.node_mut(place.node) {
                o.constant = true;
            }
        }
    }

    /// Forgets what is not read any more from the start of a block on, and what no variable reaches.
    pub fn tidy(&self, graph: &mut Graph, block: BlockId) {
        self.forget(graph, block);
        if self.heads.contains(&block) || block == self.body.entry {
            graph.forget_seen();
        }
        graph.collect();
    }

    /// Forgets what is not read any more from the start of a block on.
    pub(crate) fn forget(&self, graph: &mut Graph, block: BlockId) {
        let live = &self.live[block.0 as usize];
        let vars = &self.program.proc(self.proc).vars;
        let dead = |i: usize| vars[i].storage == Storage::Register && !live[i];
        let mut kept = vec![false; vars.len()];
        if self.to_exit[block.0 as usize] && self.checks.contains(CheckKind::Leak) {
            // At `exit` every variable of the user keeps its object from being leaked; one that
            // others reach needs no help. (If these let go of it later, that may be a false alarm.)
            let others: Vec<Value> = graph
                .globals
                .iter()
                .copied()
                .chain(graph.locals.iter().enumerate().filter(|(i, _)| !dead(*i)).map(|(_, v)| *v))
                .collect();
            let reached = graph.reach(&others);
            for (i, v) in graph.locals.iter().enumerate() {
                let holds = v.place().is_some_and(|p| !reached[p.node as usize]);
                kept[i] = holds && !vars[i].is_temp && !vars[i].is_ghost;
            }
        }
        for (i, v) in graph.locals.iter_mut().enumerate() {
            if dead(i) && !kept[i] {
                *v = Value::Any;
            }
        }
    }

    /// Fails if something may be lost when the procedure returns a value.
    pub(crate) fn loses_nothing_at_return(
        &self,
        mut graph: Graph,
        value: Value,
    ) -> Result<(), Stop> {
        graph.locals.iter_mut().for_each(|v| *v = Value::Any);
        graph.globals.push(value);
        self.loses_nothing(graph)
    }

    /// Fails if something may be lost when the program exits.
    pub(crate) fn loses_nothing_at_exit(&self, mut graph: Graph) -> Result<(), Stop> {
        let vars = &self.program.proc(self.proc).vars;
        for (v, var) in graph.locals.iter_mut().zip(vars) {
            if var.is_temp || var.is_ghost {
                *v = Value::Any;
            }
        }
        self.loses_nothing(graph)
    }

    /// Fails if something may be lost; where that depends on whether there are elements, cases are to
    /// be told apart.
    fn loses_nothing(&self, mut graph: Graph) -> Result<(), Stop> {
        self.hide_ghosts(&mut graph);
        graph.collect();
        if !graph.may_have_lost() {
            return Ok(());
        }
        let is_open = |id: &NodeId| graph.node(*id).summary().is_some_and(Summary::may_be_empty);
        match graph.ids().find(is_open) {
            Some(id) if !graph.lost => Err(Stop::Need(Need::Elements(id))),
            _ => Err(Stop::Fails(CheckKind::Leak)),
        }
    }

    /// Ghost globals keep nothing alive.
    fn hide_ghosts(&self, graph: &mut Graph) {
        for (v, global) in graph.globals.iter_mut().zip(&self.program.globals) {
            if global.is_ghost {
                *v = Value::Any;
            }
        }
    }

    /// Whether a local object is one that the user declared, on the heap or not.
    pub fn is_heap(node: &Node) -> bool {
        match node {
            Node::Object(o) => o.life == Lifetime::Heap,
            Node::Buffer(b) => b.life == Lifetime::Heap,
            Node::Arguments(_) => false,
            Node::Summary(_) | Node::Child { .. } => true,
        }
    }
}

/// How globals start.
fn global_start(program: &Program, proc: ProcId) -> GlobalStart {
    match program.is_whole_program(proc) {
        true => GlobalStart::Initialised,
        false => GlobalStart::Open,
    }
}

/// What others have to do with a procedure, if they do: they make memory that its parameters or
/// globals lead to, or rely on its contract.
pub fn given(program: &Program, proc: ProcId) -> Option<Refusal> {
    let (types, procedure) = (&program.types, program.proc(proc));
    let whole = program.is_whole_program(proc);
    let is_number = |ty| matches!(types.scalar(ty), Some(Scalar::Int(_)));
    let given = match whole {
        true => "a pointer that the host passes to the program",
        false => "a pointer that a caller passes",
    };
    let passed = |i: usize, ty| (1..3).contains(&i) && strings(types, ty).is_some();
    let by_host = |i: usize, ty| passed(i, ty) && takes_strings(program, proc);
    let mut params = procedure.vars[..procedure.params].iter().enumerate();
    if let Some((_, v)) = params.find(|(i, v)| !is_number(v.ty) && !by_host(*i, v.ty)) {
        return Some(Refusal::at(v.span, given));
    }
    let contract = &procedure.contract;
    let is_called = program.procs.iter().any(|p| p.callees().any(|callee| callee == proc));
    let is_followed = !is_called && !contract.ensures.iter().any(|c| looks_back(procedure, c));
    let promises = !contract.ensures.is_empty() && !is_followed;
    if promises || matches!(contract.assigns, Assigns::Places(..)) {
        return Some(Refusal::at(procedure.span, "a contract of what is begun with"));
    }
    let is_plain = |g: &&trellis_program::Global| match types.layout(g.ty) {
        Some(layout) => {
            let numbers = |s: Scalar| matches!(s, Scalar::Int(_) | Scalar::Bits(_));
            !layout.overlaps
                && layout.tail.is_none()
                && layout.cells.iter().all(|c| numbers(c.scalar))
        }
        None => false,
    };
    let mut open = program.globals.iter().filter(|g| !whole && !g.is_const);
    let global = open.find(|g| !is_plain(g))?;
    Some(Refusal::at(global.span, "a global that callers may have set to a pointer"))
}

/// Whether a procedure is begun with strings of the host, and their number before them.
fn takes_strings(program: &Program, proc: ProcId) -> bool {
    let types = &program.types;
    let params = &program.proc(proc).vars[..program.proc(proc).params];
    program.is_whole_program(proc)
        && params.first().is_some_and(|v| matches!(types.scalar(v.ty), Some(Scalar::Int(_))))
        && params.len() <= 3
}

/// Whether a promise is about what a procedure began with: in contracts a parameter has the value that
/// it was passed.
fn looks_back(procedure: &Procedure, promise: &Promise) -> bool {
    let written: BTreeSet<Reg> = procedure.instrs().filter_map(|i| i.kind.dst()).collect();
    let (mut of_entry, mut is_written) = (false, false);
    let mut on_term = |t: &Term| match t {
        Term::At(..) => is_written = true,
        Term::Reg(reg) | Term::Addr(reg) => {
            if let Reg::Local(v) = reg {
                let in_memory = procedure.var(*v).storage == Storage::Object;
                is_written |= in_memory || written.contains(reg);
            }
        }
        _ => {}
    };
    let formula = &promise.formula;
    formula.visit(&mut |f| of_entry |= matches!(f, Formula::At(..)), &mut on_term);
    of_entry || is_written
}

/// Any value of an integer type.
fn any_number(graph: &mut Graph, scalar: Scalar) -> Value {
    match scalar {
        Scalar::Int(kind) => graph.fresh(full(kind)),
        Scalar::Bits(b) => graph.fresh(bits_range(b.kind, b.width)),
        Scalar::Ptr(_) | Scalar::Float(_) => Value::Undef,
    }
}

fn leads_to_exit(body: &Body) -> Vec<bool> {
    let mut leads: Vec<bool> =
        body.blocks.iter().map(|b| matches!(b.term, Terminator::Exit)).collect();
    loop {
        let more: Vec<usize> = (0..leads.len())
            .filter(|i| !leads[*i])
            .filter(|i| cfg::successors(&body.blocks[*i].term).any(|s| leads[s.0 as usize]))
            .collect();
        if more.is_empty() {
            return leads;
        }
        more.into_iter().for_each(|i| leads[i] = true);
    }
}
