//! Machine states of patterns: plain nodes are objects, summary nodes are not there.
//!
//! A field whose value the pattern leaves open is `Value::Open`: whoever wants to read or
//! overwrite it asks for cases first ([`Need`]).

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::concrete::{ObjId, State, Value};
use trellis_program::{BlockId, ProcId, Program};

use super::symbols::{Place, Symbols};
use crate::machine::{cell_index, dead_object, empty_state, new_object, set_field, set_register};
use crate::pattern::{Pattern, Target};
use crate::values::{Orders, Values};
use crate::words::{Colour, Order, PatternWords, Predicate, Slot};

/// What has to be known of a pattern before the run can go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// Where a pointer field of a plain node leads.
    Field(usize, usize),
    /// The colour of a plain node.
    Colour(usize),
}

/// A machine state of a pattern.
#[derive(Clone)]
pub(super) struct Partial {
    pub state: State,
    pub symbols: Symbols,
    /// By object, its node.
    pub nodes: BTreeMap<ObjId, usize>,
    /// By plain node, its object.
    pub objects: BTreeMap<usize, ObjId>,
    /// Pointer variables that may be anything.
    pub dead: BTreeSet<usize>,
    /// The symbols that integer variables started with.
    pub started: BTreeMap<usize, usize>,
    /// Memory cells that were written.
    pub written: BTreeSet<usize>,
}

/// The state of a pattern at the start of a block.
pub(super) fn build(
    program: &Program,
    proc: ProcId,
    words: &PatternWords,
    block: BlockId,
    pattern: &Pattern,
) -> Partial {
    let mut partial = Partial {
        state: empty_state(program, proc, block),
        symbols: Symbols::default(),
        nodes: BTreeMap::new(),
        objects: BTreeMap::new(),
        dead: BTreeSet::new(),
        started: BTreeMap::new(),
        written: BTreeSet::new(),
    };
    for (n, node) in pattern.nodes.iter().enumerate().filter(|(_, n)| !n.summary) {
        let id = new_object(program, words, &mut partial.state, node.record);
        partial.nodes.insert(id, n);
        partial.objects.insert(n, id);
    }
    let objects = partial.objects.clone();
    let target = |state: &mut State, t: Option<Target>, record| match t {
        Some(Target::Null) => Value::Null,
        Some(Target::Freed) => dead_object(program, words, state, record),
        Some(Target::Undefined | Target::Dead) => Value::Undef,
        Some(Target::Node(n)) => objects.get(&n).map_or(Value::Open, |id| Value::to_start(*id)),
        None => Value::Open,
    };
    for (n, id) in &objects {
        let node = &pattern.nodes[*n];
        let record = &words.records[node.record];
        for (field, targets) in record.pointers.iter().zip(&node.fields) {
            let value = target(&mut partial.state, targets.only(), field.to);
            set_field(program, &mut partial.state, *id, field.offset, value);
        }
        for f in 0..record.data.len() {
            data(program, words, &mut partial, *id, node, f);
        }
    }
    for (x, (var, t)) in words.pointers.iter().zip(&pattern.vars).enumerate() {
        if *t == Target::Dead {
            partial.dead.insert(x);
        }
        let value = target(&mut partial.state, Some(*t), var.to);
        set_register(program, proc, &mut partial.state, var.slot, var.is_entry, value);
    }
    scalars(program, proc, words, pattern, &mut partial);
    orders(program, words, pattern, &mut partial);
    partial
}

/// The value of a lane, if all colours agree.
pub(super) fn lane(colours: &BTreeSet<Colour>, lane: usize) -> Option<u8> {
    let mut values = colours.iter().map(|c| c.get(lane));
    let first = values.next()?;
    values.all(|v| v == first).then_some(first)
}

/// A data field of a plain node.
fn data(
    program: &Program,
    words: &PatternWords,
    partial: &mut Partial,
    id: ObjId,
    node: &crate::pattern::Node,
    field: usize,
) {
    let record = &words.records[node.record];
    let of = &record.data[field];
    let Some(cell) = cell_index(program, &partial.state, id, of.offset) else { return };
    let values = match record.predicate(Predicate::Data(field)) {
        // Nobody speaks of it: it may be anything.
        None => words.partition.all(of.kind).or(Values::UNDEFINED),
        Some(p) => match lane(&node.colours, p) {
            None => {
                partial.state.memory.cells[cell] = Value::Open;
                return;
            }
            Some(0) => return,
            Some(v) => Values::class(usize::from(v) - 1),
        },
    };
    let constant = values.only().and_then(|c| words.partition.constant(c));
    partial.state.memory.cells[cell] = match constant {
        Some(v) => Value::Int(of.kind.wrap(v)),
        None => {
            let symbol = partial.symbols.fresh(values, of.kind);
            partial.symbols.cells.insert(cell, symbol);
            Value::Open
        }
    };
}

fn scalars(
    program: &Program,
    proc: ProcId,
    words: &PatternWords,
    pattern: &Pattern,
    partial: &mut Partial,
) {
    let vars = program.proc(proc).vars.len();
    for (s, (var, values)) in words.scalars.iter().zip(&pattern.scalars).enumerate() {
        let constant = values.only().and_then(|c| words.partition.constant(c));
        let value = match (constant, *values) {
            (_, Values::UNDEFINED) => Value::Undef,
            (Some(v), _) => Value::Int(var.kind.wrap(v)),
            (None, values) => {
                let symbol = partial.symbols.fresh(values, var.kind);
                partial.started.insert(s, symbol);
                let registers = &mut partial.symbols.registers;
                match var.slot {
                    Slot::Local(v) => {
                        registers.insert(Place::Local(v.0 as usize), symbol);
                        if var.is_entry {
                            registers.insert(Place::Local(vars + v.0 as usize), symbol);
                        }
                    }
                    Slot::Entry(v) => {
                        registers.insert(Place::Local(vars + v.0 as usize), symbol);
                    }
                    Slot::Global(g) => {
                        registers.insert(Place::Global(g.0 as usize), symbol);
                    }
                }
                Value::Open
            }
        };
        set_register(program, proc, &mut partial.state, var.slot, var.is_entry, value);
    }
}

/// What the pattern says of the order of symbols.
fn orders(program: &Program, words: &PatternWords, pattern: &Pattern, partial: &mut Partial) {
    for ((a, b), orders) in words.pairs.iter().zip(&pattern.orders) {
        if let (Some(a), Some(b)) = (partial.started.get(a), partial.started.get(b)) {
            partial.symbols.note(*a, *b, *orders);
        }
    }
    let symbol = |partial: &Partial, n: usize, field: usize| {
        let id = partial.objects.get(&n)?;
        let record = &words.records[pattern.nodes[n].record];
        let cell = cell_index(program, &partial.state, *id, record.data[field].offset)?;
        partial.symbols.cells.get(&cell).copied()
    };
    for n in partial.objects.keys().copied().collect::<Vec<_>>() {
        let node = &pattern.nodes[n];
        let record = &words.records[node.record];
        for (p, predicate) in record.predicates.iter().enumerate() {
            let orders = match lane(&node.colours, p) {
                Some(v) if v == Order::Less as u8 => Orders::LESS,
                Some(v) if v == Order::Equal as u8 => Orders::EQUAL,
                Some(v) if v == Order::Greater as u8 => Orders::GREATER,
                _ => continue,
            };
            let pair = match *predicate {
                Predicate::Against { field, scalar } => {
                    (symbol(partial, n, field), partial.started.get(&scalar).copied())
                }
                Predicate::Neighbour { field, over, other } => match node.fields[over].only() {
                    Some(Target::Node(m)) if !pattern.nodes[m].summary => {
                        (symbol(partial, n, field), symbol(partial, m, other))
                    }
                    _ => continue,
                },
                _ => continue,
            };
            if let (Some(a), Some(b)) = pair {
                partial.symbols.note(a, b, orders);
            }
        }
    }
}
