//! What instructions do to graphs: `concrete::step` of the machine, with summaries.
//!
//! [`Code::run_block`] follows a graph through one block. An instruction that has to know more than
//! the graph says is executed again in every case ([`crate::split`]), so one that is executed sees an
//! ordinary memory wherever it looks.
//!
//! **Invariant.** For every memory of the graph, what the machine makes of it is one of the graphs
//! that come out; and where a check may fail, or the machine would go beyond what graphs can say,
//! there is trouble and no graph.

use trellis_program::checks::Point;
use trellis_program::concrete::Lifetime;
use trellis_program::concrete::spec_eval::Truth as Kleene;
use trellis_program::{
    BinOp, BlockId, CheckKind, Cond, Expr, InstrKind, IntKind, ProcId, Reg, Scalar, Span,
    StopReason, Terminator, VarId,
};

use crate::access::free;
use crate::buffer::is_bytes;
use crate::call::Entering;
use crate::code::Code;
use crate::eval::{Eval, Need, Stop, Truth, full};
use crate::graph::{Graph, Node, Object};
use crate::split::split;
use crate::value::{Range, Value};

/// Why a graph cannot be followed further.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// A check may fail.
    Alarm {
        /// Which.
        kind: CheckKind,
        /// Where in the code.
        point: Point,
        /// Where in the source.
        span: Span,
    },
    /// Outside of what graphs can follow.
    Outside {
        /// Where.
        span: Span,
        /// What, as a noun phrase.
        reason: String,
    },
}

/// Graphs at the starts of blocks.
pub type Arrivals = Vec<(BlockId, Graph)>;

/// What lies beyond the code between two loop heads.
pub trait World {
    /// A graph has arrived at a loop head.
    ///
    /// # Errors
    /// If that was not expected.
    fn arrive(&mut self, block: BlockId, graph: Graph) -> Result<(), Halt>;

    /// The graphs at the returns of a call that begins with a graph.
    ///
    /// # Errors
    /// If that was not expected.
    fn call(&mut self, callee: ProcId, entry: Graph) -> Result<Vec<Graph>, Halt>;

    /// A callee returns; the result is the only local.
    ///
    /// # Errors
    /// If that was not expected.
    fn leave(&mut self, exit: Graph) -> Result<(), Halt>;
}

/// Why following a graph ended early.
#[derive(Debug)]
pub enum Halt {
    /// It cannot be followed further: why, and the graph before that.
    Trouble(Box<(Trouble, Graph)>),
    /// The budget is over.
    Stopped(StopReason),
    /// What arrived somewhere is not what was expected.
    Unexpected(Arrival, Box<Graph>),
}

/// Where graphs arrive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arrival {
    /// At a call of a procedure.
    Entry(ProcId),
    /// At a loop head of a procedure.
    Loop(ProcId, BlockId),
    /// At its return.
    Exit(ProcId),
}

/// A graph on its way through a block: the next instruction, and what was picked for it.
struct Way {
    instr: usize,
    graph: Graph,
    picks: Vec<i64>,
}

/// Where a block leads.
enum On {
    /// To other blocks.
    To(Vec<BlockId>),
    /// Back to the caller.
    Back(Box<Graph>),
}

impl Code<'_> {
    /// Follows a graph from the start of a block to the blocks behind it.
    ///
    /// # Errors
    /// If it cannot be followed.
    pub fn run_block(
        &self,
        at: BlockId,
        graph: Graph,
        world: &mut dyn World,
    ) -> Result<Arrivals, Halt> {
        let block = self.body().block(at);
        let mut out = Vec::new();
        let mut graph = graph;
        graph.name_registers();
        let mut ways = vec![Way { instr: 0, graph, picks: Vec::new() }];
        while let Some(mut way) = ways.pop() {
            let mut before = way.graph.clone();
            let span = block.span_at(way.instr as u32);
            let instr = way.instr + 1;
            let next = |graph| Way { instr, graph, picks: Vec::new() };
            let done = match block.instrs.get(way.instr).map(|i| &i.kind) {
                Some(InstrKind::Call { dst, proc, args }) => {
                    match self.call(&mut way, *proc, args, *dst, &block.term) {
                        Ok(entering) => {
                            let exits = world.call(*proc, entering.entry.clone())?;
                            ways.extend(exits.iter().map(|e| next(entering.back(e, *dst))));
                            Ok(())
                        }
                        Err(stop) => Err(stop),
                    }
                }
                Some(instr) => self.execute(&mut way.graph, instr, &way.picks).map(|more| {
                    ways.extend(more.map(next));
                    ways.push(next(std::mem::take(&mut way.graph)));
                }),
                None => match self.terminate(&mut way.graph, &block.term, &way.picks) {
                    Ok(On::To(targets)) => {
                        out.extend(targets.into_iter().map(|b| (b, way.graph.clone())));
                        Ok(())
                    }
                    Ok(On::Back(exit)) => {
                        world.leave(*exit)?;
                        Ok(())
                    }
                    Err(stop) => Err(stop),
                },
            };
            let point = Point { proc: self.proc, block: at, instr: way.instr as u32 };
            let trouble = match done {
                Ok(()) | Err(Stop::Ends) => continue,
                Err(Stop::Need(need)) => {
                    before.take_numbers(way.graph);
                    match split(&before, need) {
                        Ok(parts) => {
                            for (graph, pick) in parts {
                                // What was picked before is about another graph now.
                                let picks = match pick {
                                    Some(pick) => way.picks.iter().copied().chain([pick]).collect(),
                                    None => Vec::new(),
                                };
                                ways.push(Way { instr: way.instr, graph, picks });
                            }
                            continue;
                        }
                        Err(reason) => Trouble::Outside { span, reason: reason.to_owned() },
                    }
                }
                Err(Stop::Fails(kind)) if !self.checks.contains(kind) => continue,
                Err(Stop::Fails(kind)) => Trouble::Alarm { kind, point, span },
                Err(Stop::Outside(reason)) => Trouble::Outside { span, reason },
            };
            return Err(Halt::Trouble(Box::new((trouble, before))));
        }
        Ok(out)
    }

    /// Begins a call, which is the last instruction of its block.
    fn call(
        &self,
        way: &mut Way,
        callee: ProcId,
        args: &[Expr],
        dst: Option<Reg>,
        term: &Terminator,
    ) -> Result<Entering, Stop> {
        let overflow = self.checks.contains(CheckKind::Overflow);
        let mut ev = Eval { graph: &mut way.graph, overflow, picks: &way.picks, used: 0 };
        let args = args.iter().map(|a| ev.eval(a)).collect::<Result<Vec<_>, _>>()?;
        match term {
            Terminator::Goto(next) => self.enter(&way.graph, callee, &args, dst, *next),
            _ => Err(Stop::outside("a call that was not replaced")),
        }
    }

    /// Executes an instruction; gives a second graph where there are two ways on.
    fn execute(
        &self,
        graph: &mut Graph,
        instr: &InstrKind,
        picks: &[i64],
    ) -> Result<Option<Graph>, Stop> {
        let types = &self.program.types;
        let overflow = self.checks.contains(CheckKind::Overflow);
        let mut ev = Eval { graph: &mut *graph, overflow, picks, used: 0 };
        match instr {
            InstrKind::Assign { dst, value } => {
                let value = ev.eval(value)?;
                set(graph, *dst, value);
            }
            InstrKind::Load { dst, addr, scalar } => {
                let addr = ev.eval(addr)?;
                let value = self.load(graph, addr, *scalar)?;
                set(graph, *dst, value);
            }
            InstrKind::Store { addr, scalar, value } => {
                let (place, value) = (ev.eval(addr)?, ev.eval(value)?);
                self.store(graph, addr, place, *scalar, value)?;
            }
            InstrKind::Copy { dst, src, size, may_overlap } => {
                let (to, from) = (ev.eval(dst)?, ev.eval(src)?);
                let used = ev.used;
                let count = ev.eval(size)?;
                if !self.copy_bytes(ev.graph, to, from, count, *may_overlap)? {
                    ev.used = used;
                    let size = ev.size(size)?;
                    self.copy(graph, dst, to, from, size, *may_overlap)?;
                }
            }
            InstrKind::Fill { dst, byte, size } => {
                let (to, byte) = (ev.eval(dst)?, ev.eval(byte)?);
                let used = ev.used;
                let count = ev.eval(size)?;
                if !self.fill_bytes(ev.graph, to, byte, count)? {
                    ev.used = used;
                    let size = ev.size(size)?;
                    self.fill(graph, dst, to, byte, size)?;
                }
            }
            InstrKind::Alloc { dst, size, ty, zeroed } => {
                if *zeroed
                    && let Expr::Binary(BinOp::Mul, kind, a, b) = size
                    && let (Value::Int(a), Value::Int(b)) = (ev.eval(a)?, ev.eval(b)?)
                    && !product_fits(*kind, a, b)
                {
                    return Err(Stop::outside("a very large size"));
                }
                ev.used = 0;
                let node = match ev.eval(size)? {
                    open @ (Value::Sym(_) | Value::Range(_)) if ev.graph.relations.is_some() => {
                        let open = named(ev.graph, open);
                        let life = Lifetime::Heap;
                        Node::Buffer(self.new_buffer(ev.graph, *ty, open, life, *zeroed)?)
                    }
                    _ => {
                        ev.used = 0;
                        let size = ev.size(size)?;
                        let object = Object::new(types, *ty, size, Lifetime::Heap, *zeroed);
                        self.sized(ev.graph, object)?
                    }
                };
                let failed = self.malloc_may_fail.then(|| {
                    let mut failed = graph.clone();
                    set(&mut failed, *dst, Value::Null);
                    failed
                });
                let id = graph.add(node);
                set(graph, *dst, Value::to(id, 0));
                return Ok(failed);
            }
            InstrKind::Retype { ptr, ty } => {
                if let Value::Ptr(p) = ev.eval(ptr)?
                    && p.off == 0
                    && p.at.is_none()
                {
                    match graph.node_mut(p.node) {
                        Node::Object(o) => o.retype(types, *ty),
                        Node::Buffer(b) if b.ty.is_some() => {}
                        Node::Buffer(b) if is_bytes(types, *ty) => b.ty = Some(*ty),
                        Node::Buffer(_) => {
                            return Err(Stop::outside("an index or a size that is not known"));
                        }
                        Node::Summary(s) if s.may_be_empty() => {
                            return Err(Stop::Need(Need::Elements(p.node)));
                        }
                        // These have a type already.
                        Node::Arguments(_) | Node::Summary(_) | Node::Child { .. } => {}
                    }
                }
            }
            InstrKind::Free { ptr } => {
                let ptr = ev.eval(ptr)?;
                free(graph, ptr)?;
            }
            InstrKind::BeginLocal { var } => {
                let declared = self.program.proc(self.proc).var(*var);
                let size = types.size_of(declared.ty).unwrap_or(0);
                let mut object =
                    Object::new(types, Some(declared.ty), size, Lifetime::Local, false);
                object.literal = declared.is_temp && declared.is_const;
                object.constant = declared.is_const;
                let node = self.sized(graph, object)?;
                begin(graph, *var, node);
            }
            InstrKind::BeginArray { var, element, count } => {
                let bytes = types.size_of(*element).unwrap_or(0);
                let node = match ev.eval(count)? {
                    open @ (Value::Sym(_) | Value::Range(_))
                        if ev.graph.relations.is_some() && bytes == 1 =>
                    {
                        let open = named(ev.graph, open);
                        let life = Lifetime::Local;
                        Node::Buffer(self.new_buffer(
                            ev.graph,
                            Some(*element),
                            open,
                            life,
                            false,
                        )?)
                    }
                    _ => {
                        ev.used = 0;
                        let count = ev.size(count)?;
                        let size = count.checked_mul(bytes).filter(|n| *n <= 1 << 24);
                        let size = size.ok_or_else(|| Stop::outside("a very large size"))?;
                        let object =
                            Object::new(types, Some(*element), size, Lifetime::Local, false);
                        self.sized(ev.graph, object)?
                    }
                };
                begin(graph, *var, node);
            }
            InstrKind::EndLocal { var } => end(graph, *var),
            InstrKind::Havoc { dst, scalar } => {
                let value = match scalar {
                    Scalar::Int(kind) => graph.fresh(full(*kind)),
                    Scalar::Bits(b) => graph.fresh(bits_range(b.kind, b.width)),
                    Scalar::Float(_) => Value::Undef,
                    Scalar::Ptr(_) => return Err(Stop::outside("a pointer to anything")),
                };
                set(graph, *dst, value);
            }
            InstrKind::Assume { cond: Cond::Expr(e) } => {
                let value = ev.eval(e)?;
                match ev.truth(value)? {
                    Truth::Known(true) | Truth::Either => {}
                    Truth::Known(false) => return Err(Stop::Ends),
                    Truth::Undefined => self.undefined()?,
                }
            }
            InstrKind::Assert { kind, cond: Cond::Expr(e) } => {
                let value = ev.eval(e)?;
                match ev.truth(value)? {
                    Truth::Known(true) => {}
                    Truth::Either if !self.checks.contains(*kind) => {}
                    Truth::Known(false) | Truth::Either => return Err(Stop::Fails(*kind)),
                    Truth::Undefined => self.undefined()?,
                }
            }
            InstrKind::Assume { cond: Cond::Spec(formula) } => {
                if self.truth_of(graph, formula)? != Kleene::True {
                    return Err(Stop::Ends);
                }
            }
            InstrKind::Assert { kind, .. } if !self.checks.contains(*kind) => {}
            InstrKind::Assert { kind, cond: Cond::Spec(formula) } => {
                if self.truth_of(graph, formula)? != Kleene::True {
                    return Err(Stop::Fails(*kind));
                }
            }
            InstrKind::Call { .. } => return Err(Stop::outside("a call that was not replaced")),
            InstrKind::Unsupported { reason } => return Err(Stop::Outside(reason.clone())),
        }
        Ok(None)
    }

    /// A condition depends on what was never written: a failure, or with that check off, any value.
    fn undefined(&self) -> Result<(), Stop> {
        match self.checks.contains(CheckKind::Uninit) {
            true => Err(Stop::Fails(CheckKind::Uninit)),
            false => Ok(()),
        }
    }

    fn terminate(&self, graph: &mut Graph, term: &Terminator, picks: &[i64]) -> Result<On, Stop> {
        let overflow = self.checks.contains(CheckKind::Overflow);
        let mut ev = Eval { graph: &mut *graph, overflow, picks, used: 0 };
        Ok(On::To(match term {
            Terminator::Goto(target) => vec![*target],
            Terminator::Branch { cond, then, els } => {
                let value = ev.eval(cond)?;
                match ev.truth(value)? {
                    Truth::Known(true) => vec![*then],
                    Truth::Known(false) => vec![*els],
                    Truth::Either => vec![*then, *els],
                    Truth::Undefined => {
                        self.undefined()?;
                        vec![*then, *els]
                    }
                }
            }
            Terminator::Return(value) => {
                let value = match value {
                    Some(e) => ev.eval(e)?,
                    None => Value::Undef,
                };
                if self.is_callee {
                    return Ok(On::Back(Box::new(self.leave(graph, value))));
                }
                self.keeps_contract(graph, value)?;
                if self.checks.contains(CheckKind::Leak) {
                    self.loses_nothing_at_return(graph.clone(), value)?;
                }
                vec![]
            }
            Terminator::Exit => {
                if self.checks.contains(CheckKind::Leak) {
                    self.loses_nothing_at_exit(graph.clone())?;
                }
                vec![]
            }
            Terminator::ExitFreed => {
                let held = graph.held.is_empty();
                // What the host passed is not the program's to free.
                let passed = |node: &Node| node.object().is_some_and(|o| o.initial);
                let is_left = |node: &Node| Code::is_heap(node) && !passed(node);
                let is_left = graph.lost || graph.ids().any(|id| is_left(graph.node(id)));
                if self.checks.contains(CheckKind::Leak) && is_left {
                    return Err(match held {
                        true => Stop::Fails(CheckKind::Leak),
                        false => Stop::outside("an end during a recursive call"),
                    });
                }
                vec![]
            }
            Terminator::Abort => vec![],
        }))
    }
}

fn end(graph: &mut Graph, var: VarId) {
    if let Value::Ptr(p) = graph.locals[var.0 as usize] {
        graph.free(p.node);
    }
}

pub(crate) fn begin(graph: &mut Graph, var: VarId, node: Node) {
    end(graph, var);
    let id = graph.add(node);
    graph.locals[var.0 as usize] = Value::to(id, 0);
}

pub(crate) fn set(graph: &mut Graph, reg: Reg, value: Value) {
    let value = named(graph, value);
    match reg {
        Reg::Local(v) => graph.locals[v.0 as usize] = value,
        Reg::Global(g) => graph.globals[g.0 as usize] = value,
    }
}

/// A value that may be copied: a range gets a name.
pub(crate) fn named(graph: &mut Graph, value: Value) -> Value {
    match value {
        Value::Range(r) => graph.fresh(r),
        // Where it leads to is one value.
        Value::Ptr(p) if p.at.is_some() && p.off != 0 => match graph.position(p) {
            Ok(position) => p.with_position(position).map_or(value, Value::Ptr),
            Err(_) => value,
        },
        v => v,
    }
}

fn product_fits(kind: IntKind, a: i64, b: i64) -> bool {
    let product = kind.value(a).checked_mul(kind.value(b));
    product.is_some_and(|n| n == kind.value(kind.wrap(n)))
}

/// All numbers of a bit-field.
pub(crate) fn bits_range(kind: IntKind, width: u8) -> Range {
    match (width, kind.signed) {
        (64.., _) => full(kind),
        (w, true) => Range::between(-(1 << (w - 1)), (1 << (w - 1)) - 1),
        (w, false) => Range::between(0, (1 << w) - 1),
    }
}
