//! The pattern of a machine state that started from a pattern: objects are plain nodes, and the
//! summary nodes are still there.
//!
//! What the run has not written is as it was: an open field has the targets of its node, a summary
//! node its fields, its colours and its marks. A predicate that looks at something that was written
//! is computed anew; where that is not possible it may have any value that fits.

mod colours;

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::concrete::memory::Lifetime;
use trellis_program::concrete::{ObjId, Value};
use trellis_program::{ProcId, Program};

use super::lost::Made;
use super::partial::Partial;
use super::symbols::{Place, Symbol};
use crate::machine::{cell_index, field, record_of, register};
use crate::pattern::{Node, Pattern, Sharing, Target, Targets};
use crate::values::{Orders, Values};
use crate::words::{PatternWords, Predicate, Slot};

/// An integer as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Number {
    Undefined,
    /// A class.
    Class(usize),
    /// A symbol.
    Symbol(Symbol),
    /// Classes of a colour of its node, by the lane of the predicate that says so.
    Old(Option<usize>),
}

/// From a run to the pattern where it is.
pub(super) struct Results<'a> {
    pub program: &'a Program,
    pub proc: ProcId,
    pub words: &'a PatternWords,
    pub before: &'a Pattern,
    pub partial: &'a Partial,
}

/// A node of the result: an object, or a summary node of before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Object(ObjId),
    Summary(usize),
}

impl Results<'_> {
    /// The pattern of the state, all objects included; a variable of which nothing is known is
    /// dead.
    pub(super) fn made(&self) -> Result<Made, String> {
        let (origins, records) = self.origins()?;
        let mut number = BTreeMap::new();
        for (i, origin) in origins.iter().enumerate() {
            if let Origin::Object(id) = origin {
                number.insert(*id, i);
            }
        }
        let names = Names { origins: &origins, number: &number };
        let mut nodes = Vec::new();
        for (origin, record) in origins.iter().zip(&records) {
            let fields = (0..self.words.records[*record].pointers.len())
                .map(|f| self.targets(&names, *origin, *record, f))
                .collect::<Result<Vec<_>, _>>()?;
            nodes.push(Node {
                record: *record,
                summary: matches!(origin, Origin::Summary(_)),
                sharing: Sharing::NONE,
                colours: BTreeSet::new(),
                fields,
            });
        }
        let mut vars = Vec::new();
        for (x, var) in self.words.pointers.iter().enumerate() {
            let value = register(self.program, self.proc, &self.partial.state, var.slot);
            vars.push(match self.partial.dead.contains(&x) {
                true => Target::Dead,
                false => self.target(&names, value)?,
            });
        }
        let scalars = (0..self.words.scalars.len()).map(|s| self.values(self.scalar(s))).collect();
        let orders = self.words.pairs.iter().map(|(a, b)| self.order(*a, *b)).collect();
        let mut out = Pattern { scalars, orders, vars, nodes };
        for n in 0..out.nodes.len() {
            out.nodes[n].sharing = self.sharing(&names, &out, n);
            out.nodes[n].colours = self.colours(&names, &out, n)?;
        }
        let cut = self.cut(&names, &out);
        Ok(Made { pattern: out, cut })
    }

    /// The nodes that something led to at the start that is gone, and new objects.
    fn cut(&self, names: &Names<'_>, now: &Pattern) -> Vec<usize> {
        let node = |n: usize| self.partial.objects.get(&n).and_then(|id| names.number.get(id));
        let mut cut = Vec::new();
        for (before, after) in self.before.vars.iter().zip(&now.vars) {
            if let Target::Node(n) = before
                && let Some(m) = node(*n)
                && *after != Target::Node(*m)
            {
                cut.push(*m);
            }
        }
        for (n, id) in &self.partial.objects {
            let of = &self.before.nodes[*n];
            let gone = !names.number.contains_key(id);
            for (field, targets) in self.words.records[of.record].pointers.iter().zip(&of.fields) {
                if gone || self.is_written(*id, field.offset) {
                    cut.extend(targets.nodes().filter_map(node).copied());
                }
            }
        }
        let new = names.number.iter().filter(|(id, _)| !self.partial.nodes.contains_key(id));
        cut.extend(new.map(|(_, n)| *n));
        cut.sort_unstable();
        cut.dedup();
        cut
    }

    fn origins(&self) -> Result<(Vec<Origin>, Vec<usize>), String> {
        let (mut origins, mut records) = (Vec::new(), Vec::new());
        let memory = &self.partial.state.memory;
        for id in memory.ids() {
            let object = memory.object(id);
            if object.live && object.lifetime == Lifetime::Heap {
                records.push(record_of(self.words, object).ok_or("memory that is no record")?);
                origins.push(Origin::Object(id));
            }
        }
        for (n, node) in self.before.nodes.iter().enumerate().filter(|(_, n)| n.summary) {
            origins.push(Origin::Summary(n));
            records.push(node.record);
        }
        match origins.len() > crate::pattern::MOST_NODES {
            true => Err("more nodes than a pattern can have".to_owned()),
            false => Ok((origins, records)),
        }
    }

    fn target(&self, names: &Names<'_>, value: Value) -> Result<Target, String> {
        Ok(match value {
            Value::Null | Value::Int(0) => Target::Null,
            Value::Undef => Target::Undefined,
            Value::Ptr(p) => {
                let object = self.partial.state.memory.object(p.obj);
                match (object.live, p.off, names.number.get(&p.obj)) {
                    (false, ..) => Target::Freed,
                    (true, 0, Some(n)) => Target::Node(*n),
                    _ => return Err("a pointer into an object, or to a variable".to_owned()),
                }
            }
            Value::Int(_) | Value::Open | Value::Piece(..) | Value::Bytes => {
                return Err("a number in a pointer".to_owned());
            }
        })
    }

    /// Where a field leads now.
    fn targets(
        &self,
        names: &Names<'_>,
        origin: Origin,
        record: usize,
        f: usize,
    ) -> Result<Targets, String> {
        let of = &self.words.records[record].pointers[f];
        let old = match origin {
            Origin::Summary(n) => n,
            Origin::Object(id) => match field(self.program, &self.partial.state, id, of.offset) {
                Value::Open => self.partial.nodes[&id],
                value => return Ok(Targets::of(self.target(names, value)?)),
            },
        };
        Ok(self.renamed(names, self.before.nodes[old].fields[f]))
    }

    /// Old targets as they are called now; what was freed is freed.
    fn renamed(&self, names: &Names<'_>, targets: Targets) -> Targets {
        let mut out = Targets(targets.0 & 7);
        for n in targets.nodes() {
            out = out.or(match self.partial.objects.get(&n) {
                Some(id) => names.number.get(id).map_or(Targets::FREED, |i| Targets::node(*i)),
                None => names.summary(n).map_or(Targets::NONE, Targets::node),
            });
        }
        out
    }

    /// Whether a field of an object was written by the run (or the object made by it).
    fn is_written(&self, id: ObjId, offset: u32) -> bool {
        if !self.partial.nodes.contains_key(&id) {
            return true;
        }
        let cell = cell_index(self.program, &self.partial.state, id, offset);
        cell.is_none_or(|c| self.partial.written.contains(&c))
    }

    /// Which fields may share a cell of a node: pairs that were allowed before, and every pair with
    /// a field that was written.
    fn sharing(&self, names: &Names<'_>, now: &Pattern, node: usize) -> Sharing {
        let before = match names.origins[node] {
            // Nothing that the run wrote leads to a cell that it has not seen.
            Origin::Summary(n) => return self.before.nodes[n].sharing,
            Origin::Object(id) => {
                self.partial.nodes.get(&id).map_or(Sharing::NONE, |n| self.before.nodes[*n].sharing)
            }
        };
        // Fields that may lead here: edge, certain, written, may be several.
        let mut into = Vec::new();
        for (m, from) in now.nodes.iter().enumerate() {
            for (f, targets) in from.fields.iter().enumerate() {
                if targets.includes(Targets::node(node)) {
                    let of = &self.words.records[from.record].pointers[f];
                    let (certain, written) = match names.origins[m] {
                        Origin::Summary(_) => (false, false),
                        Origin::Object(id) => {
                            (targets.only().is_some(), self.is_written(id, of.offset))
                        }
                    };
                    into.push((of.edge, certain, written, from.summary));
                }
            }
        }
        let mut out = Sharing::NONE;
        for (i, (a, certain, written, many)) in into.iter().enumerate() {
            for (b, other_certain, other_written, _) in &into[..i] {
                let pair = Sharing::pair(*a, *b);
                if *written || *other_written || *certain && *other_certain || before.includes(pair)
                {
                    out = out.or(pair);
                }
            }
            let own = Sharing::pair(*a, *a);
            if *many && before.includes(own) {
                out = out.or(own);
            }
        }
        out
    }

    /// The integer in a scalar variable.
    fn scalar(&self, s: usize) -> Number {
        let var = &self.words.scalars[s];
        let place = match var.slot {
            Slot::Local(v) => Place::Local(v.0 as usize),
            Slot::Entry(v) => Place::Local(self.program.proc(self.proc).vars.len() + v.0 as usize),
            Slot::Global(g) => Place::Global(g.0 as usize),
        };
        let value = register(self.program, self.proc, &self.partial.state, var.slot);
        let symbol = self.partial.symbols.registers.get(&place).copied();
        self.number(value, var.kind, symbol)
    }

    fn number(
        &self,
        value: Value,
        kind: trellis_program::IntKind,
        symbol: Option<Symbol>,
    ) -> Number {
        match (value, symbol) {
            (Value::Open, Some(s)) => Number::Symbol(s),
            (Value::Int(i), _) => Number::Class(self.words.partition.of(kind, i)),
            (Value::Null, _) => Number::Class(self.words.partition.class(0)),
            (Value::Open, None) => Number::Old(None),
            (Value::Undef | Value::Ptr(_) | Value::Piece(..) | Value::Bytes, _) => {
                Number::Undefined
            }
        }
    }

    /// The integer in a data field of a node.
    fn data(&self, origin: Origin, record: usize, f: usize) -> Number {
        let of = &self.words.records[record];
        let old = Number::Old(of.predicate(Predicate::Data(f)));
        let Origin::Object(id) = origin else { return old };
        let value = field(self.program, &self.partial.state, id, of.data[f].offset);
        let cell = cell_index(self.program, &self.partial.state, id, of.data[f].offset);
        let symbol = cell.and_then(|c| self.partial.symbols.cells.get(&c).copied());
        match self.number(value, of.data[f].kind, symbol) {
            Number::Old(_) => old,
            number => number,
        }
    }

    fn values(&self, number: Number) -> Values {
        match number {
            Number::Undefined => Values::UNDEFINED,
            Number::Class(c) => Values::class(c),
            Number::Symbol(s) => self.partial.symbols.values(s),
            Number::Old(_) => Values((2u64 << self.words.partition.len()) - 1),
        }
    }

    /// How two scalars are ordered, as far as it is known.
    fn order(&self, a: usize, b: usize) -> Orders {
        let kinds = (self.words.scalars[a].kind, self.words.scalars[b].kind);
        self.orders((self.scalar(a), kinds.0), (self.scalar(b), kinds.1))
    }

    fn orders(
        &self,
        a: (Number, trellis_program::IntKind),
        b: (Number, trellis_program::IntKind),
    ) -> Orders {
        let mut out = Orders::NONE;
        for c in self.values(a.0).classes() {
            for d in self.values(b.0).classes() {
                out = out.or(self.words.partition.orders((c, a.1), (d, b.1)));
            }
        }
        match (a.0, b.0) {
            (Number::Symbol(s), Number::Symbol(t)) => out.and(self.partial.symbols.noted(s, t)),
            _ => out,
        }
    }
}

/// What nodes of the result are called.
struct Names<'a> {
    origins: &'a [Origin],
    number: &'a BTreeMap<ObjId, usize>,
}

impl Names<'_> {
    fn summary(&self, old: usize) -> Option<usize> {
        self.origins.iter().position(|o| *o == Origin::Summary(old))
    }
}
