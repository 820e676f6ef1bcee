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
use trellis_program::concrete::memory::Found;
use trellis_program::concrete::spec_eval::Truth as Kleene;
use trellis_program::concrete::{Fault, Lifetime, ObjId, Pointer, Value as Concrete};
use trellis_program::{
    BinOp, BlockId, CheckKind, Cond, Expr, InstrKind, IntKind, ProcId, Reg, Scalar, Span,
    StopReason, Terminator, VarId,
};

use crate::buffer::{Buffer, is_bytes, is_zero_byte};
use crate::call::Entering;
use crate::code::Code;
use crate::eval::{Eval, Need, Stop, Truth, full};
use crate::graph::{Graph, Node, Object};
use crate::split::split;
use crate::value::{NodeId, Place, Range, Value};

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
                        // Elements have a type already.
                        Node::Summary(_) | Node::Child { .. } => {}
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
                let leaks = || self.leaks_at_return(graph.clone(), value);
                if self.checks.contains(CheckKind::Leak) && leaks() {
                    return Err(Stop::Fails(CheckKind::Leak));
                }
                vec![]
            }
            Terminator::Exit => {
                let leaks = || self.leaks_at_exit(graph.clone());
                if self.checks.contains(CheckKind::Leak) && leaks() {
                    return Err(Stop::Fails(CheckKind::Leak));
                }
                vec![]
            }
            Terminator::Abort => vec![],
        }))
    }

    /// The cell of an object that an access is to.
    fn cell(&self, graph: &Graph, at: Value, scalar: Scalar) -> Result<(NodeId, usize), Stop> {
        let place = object_at(graph, at)?;
        let Some(object) = graph.object(place) else {
            return Err(Stop::outside("a summary that was not unfolded"));
        };
        let pointer = Concrete::Ptr(Pointer { obj: ObjId(0), off: place.off });
        match object.memory().cell(&self.program.types, pointer, scalar) {
            Ok(Found::Cell(cell)) => Ok((place.node, cell)),
            Ok(Found::Bytes(..)) => Err(Stop::outside("access to bytes of a value")),
            Err(fault) => Err(fault_stop(fault)),
        }
    }

    pub(crate) fn load(&self, graph: &mut Graph, at: Value, scalar: Scalar) -> Result<Value, Stop> {
        if let Some(place) = buffer_at(graph, at) {
            return self.load_byte(graph, place, scalar);
        }
        let (id, cell) = self.cell(graph, at, scalar)?;
        let value = cell_value(graph, id, cell);
        // From here on it has two copies, which are equal.
        let value = match value {
            Value::Range(r) => {
                let named = graph.fresh(r);
                set_cell(graph, id, cell, named);
                named
            }
            v => v,
        };
        let outside = |range: Range, all: Range| !all.includes(range);
        match (value, scalar) {
            (Value::Int(i), Scalar::Int(IntKind::BOOL)) if !(0..=1).contains(&i) => {
                Err(Stop::outside("a `_Bool` that is neither true nor false"))
            }
            (Value::Int(i), Scalar::Int(kind)) => Ok(Value::Int(kind.wrap(i.into()))),
            (Value::Sym(s), Scalar::Int(kind)) if outside(graph.ranges[s as usize], full(kind)) => {
                match kind {
                    IntKind::BOOL => Err(Stop::outside("a `_Bool` that is neither true nor false")),
                    kind => Ok(graph.fresh(full(kind))),
                }
            }
            (Value::Int(0), Scalar::Ptr(_)) => Ok(Value::Null),
            (Value::Null, Scalar::Int(_)) => Ok(Value::Int(0)),
            (Value::Sym(_), Scalar::Ptr(_)) => Err(Stop::outside("an integer read as a pointer")),
            (Value::Mixed, _) => {
                Err(Stop::outside("bytes of a value that was written through another type"))
            }
            (value, _) => Ok(value),
        }
    }

    pub(crate) fn store(
        &self,
        graph: &mut Graph,
        addr: &Expr,
        at: Value,
        scalar: Scalar,
        value: Value,
    ) -> Result<(), Stop> {
        let types = &self.program.types;
        if let Some(place) = buffer_at(graph, at) {
            return self.store_byte(graph, place, scalar, value);
        }
        self.writable(graph, addr, at, types.bytes(scalar))?;
        let (id, cell) = self.cell(graph, at, scalar)?;
        if let (Scalar::Int(kind), Value::Sym(_)) = (scalar, value)
            && kind.bits == 8
            && graph.relations.is_some()
            && graph.node(id).object().and_then(|o| o.ty).is_some_and(|ty| is_bytes(types, ty))
        {
            // Buffers tell zeros from other characters.
            is_zero_byte(graph, kind, value)?;
        }
        if matches!(value, Value::Ptr(_) | Value::Freed) && !scalar.is_ptr() {
            return Err(Stop::outside("a pointer kept in an integer"));
        }
        let value = match (scalar, value) {
            (Scalar::Bits(field), Value::Int(i)) => Value::Int(field.wrap(i)),
            (Scalar::Bits(field), value) => match graph.range(value) {
                Some(r) if !bits_range(field.kind, field.width).includes(r) => {
                    graph.fresh(bits_range(field.kind, field.width))
                }
                _ => value,
            },
            (_, value) => value,
        };
        let value = named(graph, value);
        set_cell(graph, id, cell, value);
        self.mix(graph, id, at, scalar, cell);
        Ok(())
    }

    /// What shares bytes with a cell that was written cannot be read any more.
    fn mix(&self, graph: &mut Graph, id: NodeId, at: Value, scalar: Scalar, cell: usize) {
        let types = &self.program.types;
        let Node::Object(object) = graph.node(id) else { return };
        let Some(layout) = object.ty.and_then(|ty| types.layout(ty)).filter(|l| l.overlaps) else {
            return;
        };
        let (Some(place), size) = (at.place(), layout.size.max(1)) else { return };
        let (element, inner) = (place.off as u32 / size, place.off as u32 % size);
        let first = element as usize * layout.cells.len();
        let touched: Vec<usize> = layout
            .cells_in(inner, inner + types.bytes(scalar))
            .map(|(i, _)| first + i)
            .filter(|i| *i != cell)
            .collect();
        let cells = object.cells.len();
        for i in touched.into_iter().filter(|i| *i < cells) {
            set_cell(graph, id, i, Value::Mixed);
        }
    }

    /// As the machine: constant objects and members are not written, but where they are declared.
    fn writable(&self, graph: &Graph, place: &Expr, at: Value, bytes: u32) -> Result<(), Stop> {
        let Some(p) = at.place() else { return Ok(()) };
        let Some(object) = graph.object(p) else { return Ok(()) };
        let types = &self.program.types;
        let named = is_named_local(place);
        let member = || {
            object.life != Lifetime::Heap
                && object.ty.is_some_and(|ty| {
                    let size = i64::from(types.size_of(ty).unwrap_or(0)).max(1);
                    let from = i64::from(p.off).rem_euclid(size) as u64;
                    match from + u64::from(bytes) <= size as u64 {
                        true => types.touches_const(ty, from, from + u64::from(bytes)),
                        false => types.has_const(ty),
                    }
                })
        };
        let constant = object.constant && !(named && object.life == Lifetime::Local);
        match constant || (!named && member()) {
            true => Err(Stop::outside("a write to a constant object")),
            false => Ok(()),
        }
    }

    pub(crate) fn copy(
        &self,
        graph: &mut Graph,
        dst: &Expr,
        to: Value,
        from: Value,
        size: u32,
        may_overlap: bool,
    ) -> Result<(), Stop> {
        if let (Value::Ptr(p), Value::Ptr(q)) = (to, from)
            && p.node == q.node
            && p.off != q.off
            && p.off.abs_diff(q.off) < size
        {
            return Err(match may_overlap {
                true => Stop::outside("a copy between places that overlap"),
                false => Stop::Fails(CheckKind::Overlap),
            });
        }
        self.writable(graph, dst, to, size)?;
        let (p, q) = (object_at(graph, from)?, object_at(graph, to)?);
        for place in [p, q] {
            self.inside(graph, place, size)?;
        }
        if size == 0 {
            return Ok(());
        }
        let types = &self.program.types;
        let source_type = graph.object(p).and_then(|o| o.ty);
        if let (Some(ty), Node::Object(target)) = (source_type, graph.node_mut(q.node)) {
            target.retype(types, ty);
        }
        let read = self.cells_between(graph, p, size)?;
        let written = self.cells_between(graph, q, size)?;
        let alike = read.len() == written.len()
            && read.iter().zip(&written).all(|(a, b)| {
                a.1 == b.1 && a.2.is_ptr() == b.2.is_ptr() && types.bytes(a.2) == types.bytes(b.2)
            });
        if !alike {
            return Err(Stop::outside("a copy between places of different types"));
        }
        for ((i, ..), (j, ..)) in read.into_iter().zip(written) {
            let value = named(graph, cell_value(graph, p.node, i));
            set_cell(graph, p.node, i, value);
            set_cell(graph, q.node, j, value);
        }
        Ok(())
    }

    fn fill(
        &self,
        graph: &mut Graph,
        dst: &Expr,
        to: Value,
        byte: Value,
        size: u32,
    ) -> Result<(), Stop> {
        self.writable(graph, dst, to, size)?;
        let place = object_at(graph, to)?;
        self.inside(graph, place, size)?;
        if size == 0 {
            return Ok(());
        }
        let Value::Int(byte) = byte else {
            return Err(Stop::outside("memset to a value that is not known"));
        };
        let Node::Object(object) = graph.node_mut(place.node) else {
            return Err(Stop::outside("a summary that was not unfolded"));
        };
        let whole = place.off == 0 && size == object.size;
        if object.ty.is_none() && !(byte as u8 == 0 && whole) {
            return Err(Stop::outside("memset of memory of unknown type"));
        }
        if byte as u8 == 0 && whole {
            object.zeroed = true;
        }
        if object.ty.is_none() {
            return Ok(());
        }
        for (i, _, scalar) in self.cells_between(graph, place, size)? {
            let value = match scalar {
                Scalar::Ptr(_) if byte as u8 == 0 => Value::Null,
                Scalar::Int(kind) if kind.bits > 1 || byte as u8 == 0 => {
                    let bytes = [byte as u8; 8];
                    Value::Int(kind.wrap(i64::from_ne_bytes(bytes).into()))
                }
                _ if byte as u8 == 0 => Value::Int(0),
                _ => return Err(Stop::outside("memset of a pointer to a value other than 0")),
            };
            set_cell(graph, place.node, i, value);
        }
        Ok(())
    }

    /// An object, as a buffer if it is too large to be followed cell by cell.
    fn sized(&self, graph: &Graph, object: Object) -> Result<Node, Stop> {
        const MOST_CELLS: usize = 1024;
        let types = &self.program.types;
        match object.cells.len() <= MOST_CELLS {
            true => Ok(Node::Object(object)),
            false => match Buffer::of(types, &object, |v| graph.range(v)) {
                Some(buffer) if graph.relations.is_some() => Ok(Node::Buffer(buffer)),
                _ => Err(Stop::outside("a large array")),
            },
        }
    }

    /// Whether so many bytes from where a pointer leads to are memory: a check fails if not.
    pub(crate) fn accessible(&self, graph: &Graph, at: Value, size: u32) -> Result<(), Stop> {
        let place = object_at(graph, at)?;
        if graph.node(place.node).buffer().is_some() {
            return Err(Stop::outside("a formula about characters"));
        }
        let end = graph.object(place).map_or(0, |o| i64::from(o.size.max(1)));
        match (0..end).contains(&place.off.into()) {
            true => self.inside(graph, place, size),
            false => Err(Stop::Fails(CheckKind::Bounds)),
        }
    }

    /// That so many bytes lie inside of an object.
    pub(crate) fn inside(&self, graph: &Graph, place: Place, size: u32) -> Result<(), Stop> {
        let pointer = Concrete::Ptr(Pointer { obj: ObjId(0), off: place.off });
        let object = graph.object(place);
        let object = object.ok_or_else(|| Stop::outside("a summary that was not unfolded"))?;
        object.memory().access(pointer, size).map(|_| ()).map_err(fault_stop)
    }

    /// The cells from a place on, as (index, offset from there, scalar): those that lie inside as a
    /// whole, if no other has bytes there.
    pub(crate) fn cells_between(
        &self,
        graph: &Graph,
        place: Place,
        size: u32,
    ) -> Result<Vec<(usize, u32, Scalar)>, Stop> {
        let types = &self.program.types;
        let unknown = || Stop::outside("a copy of memory of unknown type");
        let object = graph.object(place).ok_or_else(unknown)?;
        let layout = object.ty.and_then(|ty| types.layout(ty)).ok_or_else(unknown)?;
        if layout.overlaps || layout.tail.is_some() {
            return Err(Stop::outside("a copy of a union or of a flexible array"));
        }
        let (from, to) = (place.off as u32, place.off as u32 + size);
        let per_element = layout.cells.len().max(1);
        let mut found = Vec::new();
        for i in 0..object.cells.len() {
            let info = &layout.cells[i % per_element];
            let start = (i / per_element) as u32 * layout.size + info.offset;
            let end = start + info.bytes;
            if end <= from || start >= to {
                continue;
            }
            if start < from || end > to {
                return Err(Stop::outside("a copy that cuts a value"));
            }
            found.push((i, start - from, info.scalar));
        }
        Ok(found)
    }
}

/// The object that a pointer leads to; the element of a summary has to be unfolded first.
fn object_at(graph: &Graph, at: Value) -> Result<Place, Stop> {
    match at {
        Value::Ptr(p) => match graph.node(p.node) {
            Node::Object(_) | Node::Buffer(_) => Ok(p),
            Node::Summary(s) if s.may_be_empty() => Err(Stop::Need(Need::Elements(p.node))),
            Node::Summary(_) => Err(Stop::Need(Need::Element(p.node, p.end))),
            Node::Child { .. } => Err(Stop::outside("a summary that was not unfolded")),
        },
        Value::Null => Err(Stop::Fails(CheckKind::NullDeref)),
        Value::Undef => Err(Stop::Fails(CheckKind::Uninit)),
        Value::Freed => Err(Stop::Fails(CheckKind::UseAfterFree)),
        Value::Int(_) => Err(Stop::Fails(CheckKind::Bounds)),
        _ => Err(Stop::outside("an integer used as an address")),
    }
}

fn fault_stop(fault: Fault) -> Stop {
    match fault {
        Fault::Null => Stop::Fails(CheckKind::NullDeref),
        Fault::Undef => Stop::Fails(CheckKind::Uninit),
        Fault::Dead(_) => Stop::Fails(CheckKind::UseAfterFree),
        Fault::Bounds(_) | Fault::Nowhere => Stop::Fails(CheckKind::Bounds),
        Fault::Overlap(_) => Stop::Fails(CheckKind::Overlap),
        Fault::Unsupported(reason) => Stop::outside(reason),
    }
}

fn free(graph: &mut Graph, ptr: Value) -> Result<(), Stop> {
    let place = match ptr {
        Value::Null => return Ok(()),
        Value::Int(_) | Value::Sym(_) | Value::Range(_) => {
            return Err(Stop::Fails(CheckKind::InvalidFree));
        }
        Value::Freed => return Err(Stop::Fails(CheckKind::DoubleFree)),
        ptr => object_at(graph, ptr)?,
    };
    let life = match graph.node(place.node) {
        Node::Object(o) => Some(o.life),
        Node::Buffer(b) => Some(b.life),
        Node::Summary(_) | Node::Child { .. } => None,
    };
    let is_start = place.off == 0 && place.at.is_none();
    if life != Some(Lifetime::Heap) || !is_start {
        return Err(Stop::Fails(CheckKind::InvalidFree));
    }
    graph.free(place.node);
    Ok(())
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

/// Where a pointer leads into a buffer.
fn buffer_at(graph: &Graph, at: Value) -> Option<Place> {
    at.place().filter(|p| graph.node(p.node).buffer().is_some())
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

fn cell_value(graph: &Graph, id: NodeId, cell: usize) -> Value {
    match graph.node(id) {
        Node::Object(o) => o.cells[cell],
        _ => Value::Mixed,
    }
}

fn set_cell(graph: &mut Graph, id: NodeId, cell: usize, value: Value) {
    if let Node::Object(o) = graph.node_mut(id) {
        o.cells[cell] = value;
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

fn is_named_local(place: &Expr) -> bool {
    match place {
        Expr::Addr(Reg::Local(_)) => true,
        Expr::Offset(base, _) | Expr::Index { base, .. } => is_named_local(base),
        _ => false,
    }
}
