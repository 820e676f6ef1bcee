//! A procedure made ready to be followed in graphs: which variables matter where, what is constant,
//! and what it starts from.

use std::collections::BTreeSet;

use trellis_program::cfg;
use trellis_program::concrete::{
    self as machine, InitialHeap, Lifetime, Machine, MachineOptions, State,
};
use trellis_program::spec::Assigns;
use trellis_program::{
    BlockId, Body, CheckKind, CheckSet, ProcId, Program, Refusal, Storage, Terminator,
};

use crate::graph::{Graph, Node, Object};
use crate::value::Value;

/// A procedure without calls.
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
    body: &'p Body,
}

impl<'p> Code<'p> {
    /// Prepares a whole program whose calls were replaced.
    ///
    /// # Errors
    /// What graphs cannot follow, wherever it stands.
    pub fn new(
        program: &'p Program,
        proc: ProcId,
        checks: CheckSet,
        malloc_may_fail: bool,
    ) -> Result<Code<'p>, Refusal> {
        let procedure = program.proc(proc);
        let refuse = |reason: &str| Err(Refusal::at(procedure.span, reason));
        let Some(body) = &procedure.body else {
            return refuse("a procedure without a body");
        };
        if !program.is_whole_program(proc) {
            return refuse("a procedure that is no whole program");
        }
        let pointer =
            |v: &trellis_program::Var| program.types.scalar(v.ty).is_none_or(|s| s.is_ptr());
        if let Some(v) = procedure.vars[..procedure.params].iter().find(|v| pointer(v)) {
            return Err(Refusal::at(v.span, "a pointer that the host passes to the program"));
        }
        if !procedure.contract.ensures.is_empty()
            || matches!(procedure.contract.assigns, Assigns::Places(..))
        {
            return refuse("a contract of a whole program");
        }
        if program.is_collected() {
            return refuse("memory that is collected");
        }
        if program.predicates.iter().any(|p| p.body.is_none()) {
            return refuse("uninterpreted predicates");
        }
        if checks.contains(CheckKind::Acyclic) {
            return refuse("a check that there are no cycles");
        }
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
            body,
        })
    }

    /// Its code.
    pub fn body(&self) -> &'p Body {
        self.body
    }

    /// The graphs that it starts from: globals as initialised, any numbers as arguments.
    ///
    /// # Errors
    /// If the memory of the program is outside of what graphs can follow.
    pub fn start(&self) -> Result<Graph, Refusal> {
        let options = MachineOptions { checks: self.checks, ..MachineOptions::default() };
        let machine = Machine::new(self.program, options);
        let params = self.program.proc(self.proc).params;
        let mut heap = InitialHeap::of_main(self.program);
        heap.args = vec![machine::Value::Int(0); params];
        let state = machine.start(self.proc, &heap);
        let mut graph = self.of_state(&state)?;
        let types = &self.program.types;
        for (i, var) in self.program.proc(self.proc).vars[..params].iter().enumerate() {
            let Some(trellis_program::Scalar::Int(kind)) = types.scalar(var.ty) else {
                return Err(Refusal::at(var.span, "an argument of the program that is no integer"));
            };
            let any = graph.fresh(crate::eval::full(kind));
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

    /// A state of the machine in the procedure, as a graph without summaries.
    ///
    /// # Errors
    /// If some bytes of it are no cells.
    pub fn of_state(&self, state: &State) -> Result<Graph, Refusal> {
        /// More cells are not worth keeping apart.
        const MOST_CELLS: usize = 4096;
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
        self.mark_constants(&mut graph);
        Ok(graph)
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
        graph.collect();
    }

    /// Whether something is lost when the procedure returns a value.
    pub(crate) fn leaks_at_return(&self, mut graph: Graph, value: Value) -> bool {
        graph.locals.iter_mut().for_each(|v| *v = Value::Any);
        graph.globals.push(value);
        self.hide_ghosts(&mut graph);
        graph.collect();
        graph.lost
    }

    /// Whether something is lost when the program exits.
    pub(crate) fn leaks_at_exit(&self, mut graph: Graph) -> bool {
        let vars = &self.program.proc(self.proc).vars;
        for (v, var) in graph.locals.iter_mut().zip(vars) {
            if var.is_temp || var.is_ghost {
                *v = Value::Any;
            }
        }
        self.hide_ghosts(&mut graph);
        graph.collect();
        graph.lost
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
            Node::Summary(_) | Node::Child { .. } => true,
        }
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
