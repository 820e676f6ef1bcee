//! Arrays of characters of any length, strings among them.
//!
//! A [`Buffer`] is one object of characters. What is known of them is how many at its start were
//! written and are not zero (its *length*), and what comes behind these ([`Tail`]): for a string, a
//! zero. So `strlen` is the length, and a loop over a string stays before its end. Its size, its
//! length and places in it are symbols, about which [`crate::numbers`] knows more.
//!
//! Where a zero is written into a string, a second string begins behind it, which ends where the first
//! one did: a line that was cut at a comma.
//!
//! What is written one character at a time is told apart by whether it is zero, so that the start of
//! a buffer always is as above.
//!
//! **Invariant.** The length is at most the size, and smaller where the tail begins with a zero; no
//! buffer has more than [`MOST_BYTES`] bytes.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use trellis_program::concrete::Lifetime;
use trellis_program::{CheckKind, CmpOp, IntKind, Scalar, TypeId, TypeTable};

use crate::code::Code;
use crate::eval::{Eval, Need, Stop, full};
use crate::graph::{Graph, Node, Object};
use crate::linear::Form;
use crate::value::{NodeId, Place, Range, Value};

/// More bytes than any object has that is followed.
pub const MOST_BYTES: i64 = 1 << 28;
/// In so many lengths characters are copied into what is no buffer, one after the other.
const MOST_COUNTS: u128 = 64;

/// What stands behind the characters of a buffer that are not zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Tail {
    /// Anything, also nothing.
    Unknown,
    /// A zero, then anything.
    Zero,
    /// Zeros only, up to the end; also nothing.
    Zeros,
}

/// One object of characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Buffer {
    /// Its element type, of one byte; `None` while untyped.
    #[serde(with = "crate::evidence::type_number")]
    pub ty: Option<TypeId>,
    /// Who owns it.
    #[serde(with = "crate::evidence::lifetime")]
    pub life: Lifetime,
    /// A literal: may share its memory with another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub literal: bool,
    /// There before the first instruction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub initial: bool,
    /// Declared as constant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub constant: bool,
    /// One of the strings of the host ([`crate::arguments`]), perhaps the same as another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub passed: bool,
    /// How many bytes it has; of one that is passed nothing is said, its zero is the last one.
    pub size: Value,
    /// So many characters at its start are not zero.
    pub length: Value,
    /// What stands behind them.
    pub tail: Tail,
    /// If a zero does: where the next zero is, if that is known; all characters between are not zero.
    #[serde(default = "unknown", skip_serializing_if = "is_unknown")]
    pub more: Value,
}

fn unknown() -> Value {
    Value::Any
}

fn is_unknown(more: &Value) -> bool {
    *more == Value::Any
}

/// Whether a type is a character, or an array of characters.
pub fn is_bytes(types: &TypeTable, ty: TypeId) -> bool {
    let is_byte = |s: Scalar| matches!(s, Scalar::Int(kind) if kind.bits == 8);
    let layout = types.layout(ty);
    layout.is_some_and(|l| {
        !l.overlaps
            && l.tail.is_none()
            && !l.cells.is_empty()
            && l.cells.len() == l.size as usize
            && l.cells.iter().all(|c| is_byte(c.scalar))
    }) && types.as_record(ty).is_none()
}

impl Buffer {
    /// An object of characters, with less known of them; `None` of any other object.
    pub fn of(
        types: &TypeTable,
        o: &Object,
        range: impl Fn(Value) -> Option<Range>,
    ) -> Option<Buffer> {
        if !o.ty.is_some_and(|ty| is_bytes(types, ty)) || o.cells.len() != o.size as usize {
            return None;
        }
        Buffer::of_characters(o, range)
    }

    /// The same of one that is of characters.
    pub(crate) fn of_characters(
        o: &Object,
        range: impl Fn(Value) -> Option<Range>,
    ) -> Option<Buffer> {
        let nothing = |v: &Value| matches!(v, Value::Undef | Value::Mixed);
        o.cells.iter().all(|v| nothing(v) || range(*v).is_some()).then_some(())?;
        let is_written = |v: &&Value| !nothing(v) && range(**v).is_some_and(|r| !r.contains(0));
        let length = o.cells.iter().take_while(is_written).count();
        let is_zero = |v: &Value| *v == Value::Int(0);
        let tail = match &o.cells[length..] {
            [] => Tail::Unknown,
            // Of a single byte both are the same, and the other one is what strings have.
            rest if rest.len() > 1 && rest.iter().all(is_zero) => Tail::Zeros,
            [first, ..] if is_zero(first) => Tail::Zero,
            _ => Tail::Unknown,
        };
        let second = o.cells.get(length + 1..).unwrap_or_default();
        let more = second.iter().take_while(is_written).count();
        let more = match (tail, second.get(more)) {
            (Tail::Zero, Some(v)) if is_zero(v) => Value::Int((length + 1 + more) as i64),
            _ => Value::Any,
        };
        Some(Buffer {
            more,
            ty: o.ty,
            life: o.life,
            literal: o.literal,
            initial: o.initial,
            constant: o.constant,
            passed: false,
            size: Value::Int(o.size.into()),
            length: Value::Int(length as i64),
            tail,
        })
    }

    /// That its bytes may be changed.
    fn may_be_written(&self) -> Result<(), Stop> {
        match (self.passed, self.constant) {
            (true, _) => Err(Stop::outside("a write to an argument of the program")),
            (_, true) => Err(Stop::outside("a write to a constant object")),
            _ => Ok(()),
        }
    }

    /// Whether two are of one kind: all but what they hold.
    pub fn is_like(&self, other: &Buffer) -> bool {
        (self.ty, self.life, self.literal) == (other.ty, other.life, other.literal)
            && (self.initial, self.constant) == (other.initial, other.constant)
            && self.passed == other.passed
    }
}

impl Graph {
    /// The same with names for the sizes and lengths of buffers.
    #[must_use]
    pub fn buffers_named(&self) -> Graph {
        let mut out = self.clone();
        for id in self.ids() {
            out.name_buffer(id);
        }
        out
    }

    /// Gives names to the size and the length of a buffer.
    pub(crate) fn name_buffer(&mut self, id: NodeId) {
        if let Node::Arguments(a) = self.node(id)
            && let Value::Range(r) = a.end
        {
            let named = self.fresh(r);
            if let Node::Arguments(a) = self.node_mut(id) {
                a.end = named;
            }
        }
        let Node::Buffer(b) = self.node(id) else { return };
        let (old, tail, more) = ((b.size, b.length), b.tail, b.more);
        let is_open = |v: Value| matches!(v, Value::Range(_));
        if !is_open(old.0) && !is_open(old.1) && !is_open(more) {
            return;
        }
        let mut name = |v: Value| match v {
            Value::Range(r) => self.fresh(r),
            v => v,
        };
        let (size, length, more) = (name(old.0), name(old.1), name(more));
        if let Node::Buffer(b) = self.node_mut(id) {
            (b.size, b.length, b.more) = (size, length, more);
        }
        self.fits(size, length, tail);
        self.fits_more(size, length, more);
    }

    /// Says that a length is that of a buffer of some size.
    pub(crate) fn fits(&mut self, size: Value, length: Value, tail: Tail) {
        if let (Some(size), Some(length)) = (self.form(size), self.form(length))
            && length.as_number() != Some(0)
        {
            let least = i64::from(tail == Tail::Zero);
            self.slack(&size.minus(&length), Range::between(least, MOST_BYTES));
        } else if let (Value::Sym(s), Tail::Zero) = (size, tail) {
            let range = self.ranges[s as usize];
            self.ranges[s as usize] = Range { lo: range.lo.max(1), ..range };
        }
    }

    /// Says that a second zero is behind the first one, and inside.
    pub(crate) fn fits_more(&mut self, size: Value, length: Value, more: Value) {
        let (Some(length), Some(more)) = (self.form(length), self.form(more)) else { return };
        self.slack(&more.minus(&length), Range::between(1, MOST_BYTES));
        if let Some(size) = self.form(size) {
            self.slack(&size.minus(&more), Range::between(1, MOST_BYTES));
        }
    }

    /// Where in its object a place is.
    ///
    /// # Errors
    /// If that cannot be said.
    pub(crate) fn position(&mut self, place: Place) -> Result<Value, Stop> {
        match (place.position(), place.at) {
            (Some(position), _) => Ok(position),
            (None, Some(s)) => {
                self.place_at(&Form::symbol(s).plus(1, &Form::number(place.off.into())))
            }
            (None, None) => Ok(Value::Int(place.off.into())),
        }
    }

    /// A position that is a sum, near to an object.
    fn place_at(&mut self, form: &Form) -> Result<Value, Stop> {
        /// Larger than any object.
        const FAR: i128 = 1 << 36;
        let near = (-FAR, FAR);
        match self.bounds(form) {
            Some((lo, hi)) if lo > hi => Err(Stop::Ends),
            Some((lo, hi)) if near.0 <= lo && hi <= near.1 && self.relations.is_some() => {
                Ok(self.define(form, Range::between(lo as i64, hi as i64)))
            }
            _ => Err(Stop::outside("a pointer far outside its object")),
        }
    }

    /// A sum of integers that are known to be near to each other.
    pub(crate) fn sum_of(&mut self, a: Value, by: i64, b: Value) -> Result<Value, Stop> {
        let (Some(a), Some(b)) = (self.form(a), self.form(b)) else {
            return Err(Stop::outside("an index or a size that is not known"));
        };
        self.place_at(&a.plus(by, &b))
    }

    /// The order of two integers.
    pub(crate) fn order_of(&mut self, a: Value, b: Value) -> Result<Ordering, Stop> {
        let mut eval = Eval { graph: self, overflow: false, picks: &[], used: 0 };
        let mut is = |op| match eval.compare(op, Some(IntKind::LONG), a, b)? {
            Value::Int(i) => Ok(i != 0),
            _ => Err(Stop::outside("an index or a size that is not known")),
        };
        Ok(match (is(CmpOp::Lt)?, is(CmpOp::Gt)?) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        })
    }

    /// A pointer into a buffer moved by so many elements.
    ///
    /// # Errors
    /// If it leads far away.
    pub(crate) fn moved_by(&mut self, p: Place, index: Value, size: u32) -> Result<Value, Stop> {
        self.may_move(p, size.into())?;
        let position = self.position(p)?;
        let moved = self.sum_of(position, size.into(), index)?;
        let far = || Stop::outside("a pointer far outside its object");
        p.with_position(moved).map(Value::Ptr).ok_or_else(far)
    }

    /// How far a place in a buffer is behind another one.
    ///
    /// # Errors
    /// If that cannot be said.
    pub(crate) fn distance(&mut self, p: Place, q: Place) -> Result<Value, Stop> {
        let (p, q) = (self.position(p)?, self.position(q)?);
        self.sum_of(p, -1, q)
    }

    /// That so many bytes from a position on lie inside of a size.
    fn room(&mut self, size: Value, at: Value, count: Value) -> Result<(), Stop> {
        let end = self.sum_of(at, 1, count)?;
        let before = self.order_of(at, Value::Int(0))? == Ordering::Less;
        match before || self.order_of(end, size)? == Ordering::Greater {
            true => Err(Stop::Fails(CheckKind::Bounds)),
            false => Ok(()),
        }
    }

    fn set_buffer(&mut self, id: NodeId, length: Value, tail: Tail) {
        if let Node::Buffer(b) = self.node_mut(id) {
            (b.length, b.tail, b.more) = (length, tail, Value::Any);
        }
    }

    /// Notes that characters that are not zero were written from a position up to another one.
    fn note_characters(&mut self, id: NodeId, from: Value, to: Value) -> Result<(), Stop> {
        let Some(Buffer { size, length, tail, more, .. }) = self.node(id).buffer().cloned() else {
            return Ok(());
        };
        if more != Value::Any {
            // The second string stays one if its zero does.
            let keeps = self.order_of(to, more)? != Ordering::Greater;
            match self.order_of(from, length)? {
                Ordering::Greater if keeps => return Ok(()),
                // The zero between the two is overwritten: they are one.
                Ordering::Equal if keeps && self.order_of(from, to)? == Ordering::Less => {
                    self.set_buffer(id, more, Tail::Zero);
                    return Ok(());
                }
                Ordering::Less if keeps && self.order_of(to, length)? != Ordering::Greater => {
                    return Ok(());
                }
                _ => self.set_buffer(id, length, tail),
            }
        }
        if self.order_of(from, length)? == Ordering::Greater {
            // There may be a zero between.
            return self.note_gap(id);
        }
        if self.order_of(to, length)? == Ordering::Greater {
            let tail = match tail {
                Tail::Zeros if self.order_of(to, size)? == Ordering::Less => Tail::Zeros,
                _ => Tail::Unknown,
            };
            self.set_buffer(id, to, tail);
        }
        Ok(())
    }

    /// Something was written behind the first zero.
    fn note_gap(&mut self, id: NodeId) -> Result<(), Stop> {
        if let Node::Buffer(b) = self.node_mut(id) {
            b.more = Value::Any;
            if b.tail == Tail::Zeros {
                // Behind the length there is at least the byte before what was written.
                b.tail = Tail::Zero;
            }
        }
        Ok(())
    }

    /// Notes that one zero was written: of a string there are two then.
    fn note_cut(&mut self, id: NodeId, at: Value) -> Result<(), Stop> {
        let Some(Buffer { length, tail, more, .. }) = self.node(id).buffer().cloned() else {
            return Ok(());
        };
        let second = match (self.order_of(at, length)?, tail) {
            (Ordering::Less, Tail::Zero) => length,
            // The same zero again, or one behind the second string.
            (Ordering::Equal, _) => more,
            (Ordering::Greater, Tail::Zero) if more != Value::Any => {
                match self.order_of(at, more)? {
                    Ordering::Less => at,
                    Ordering::Equal | Ordering::Greater => more,
                }
            }
            _ => Value::Any,
        };
        self.note_zero(id, at)?;
        if let Node::Buffer(b) = self.node_mut(id)
            && b.tail == Tail::Zero
        {
            b.more = second;
        }
        Ok(())
    }

    /// Notes that a zero was written.
    fn note_zero(&mut self, id: NodeId, at: Value) -> Result<(), Stop> {
        let Some(Buffer { length, tail, .. }) = self.node(id).buffer().cloned() else {
            return Ok(());
        };
        match self.order_of(at, length)? {
            Ordering::Less => self.set_buffer(id, at, Tail::Zero),
            Ordering::Equal if tail == Tail::Unknown => self.set_buffer(id, at, Tail::Zero),
            Ordering::Equal | Ordering::Greater => {}
        }
        Ok(())
    }
}

/// What is copied: so many characters that are not zero at first, then a zero if it is known.
struct Source {
    characters: Value,
    ends: bool,
}

impl Code<'_> {
    /// An object of characters becomes a buffer, so that it can be accessed at a place, or in a length,
    /// that is not known. Whether it is one now.
    pub(crate) fn as_buffer(&self, graph: &mut Graph, id: NodeId) -> bool {
        if graph.relations.is_none() {
            return graph.node(id).buffer().is_some();
        }
        let made = match graph.node(id) {
            Node::Buffer(_) => return true,
            Node::Object(o) => Buffer::of(&self.program.types, o, |v| graph.range(v)),
            _ => None,
        };
        match made {
            Some(buffer) => {
                *graph.node_mut(id) = Node::Buffer(buffer);
                true
            }
            None => false,
        }
    }

    /// A character of a buffer.
    pub(crate) fn load_byte(
        &self,
        graph: &mut Graph,
        place: Place,
        scalar: Scalar,
    ) -> Result<Value, Stop> {
        let (buffer, kind) = byte_access(graph, place, scalar)?;
        let at = graph.position(place)?;
        let size = graph.size_of_buffer(&buffer)?;
        graph.room(size, at, Value::Int(1))?;
        match (graph.order_of(at, buffer.length)?, buffer.tail) {
            (Ordering::Less, _) => {
                let any = Range { hole: Some(0), ..full(kind) }.trimmed();
                Ok(graph.fresh(any))
            }
            (Ordering::Equal, Tail::Zero) | (_, Tail::Zeros) => Ok(Value::Int(0)),
            (Ordering::Greater, Tail::Zero) if buffer.more != Value::Any => {
                match graph.order_of(at, buffer.more)? {
                    Ordering::Less => {
                        let any = Range { hole: Some(0), ..full(kind) }.trimmed();
                        Ok(graph.fresh(any))
                    }
                    Ordering::Equal => Ok(Value::Int(0)),
                    Ordering::Greater => {
                        Err(Stop::outside("a character that may not have been written"))
                    }
                }
            }
            _ => Err(Stop::outside("a character that may not have been written")),
        }
    }

    /// Writes a character of a buffer.
    pub(crate) fn store_byte(
        &self,
        graph: &mut Graph,
        place: Place,
        scalar: Scalar,
        value: Value,
    ) -> Result<(), Stop> {
        let (buffer, kind) = byte_access(graph, place, scalar)?;
        buffer.may_be_written()?;
        let at = graph.position(place)?;
        graph.room(buffer.size, at, Value::Int(1))?;
        match is_zero_byte(graph, kind, value)? {
            true => graph.note_cut(place.node, at),
            false => {
                let end = graph.sum_of(at, 1, Value::Int(1))?;
                graph.note_characters(place.node, at, end)
            }
        }
    }

    /// Copies bytes, some of them to or from a buffer. Whether that was what was to do.
    pub(crate) fn copy_bytes(
        &self,
        graph: &mut Graph,
        to: Value,
        from: Value,
        size: Value,
        may_overlap: bool,
    ) -> Result<bool, Stop> {
        let (Value::Ptr(q), Value::Ptr(p)) = (to, from) else { return Ok(false) };
        let is_buffer = |graph: &Graph, p: Place| graph.node(p.node).buffer().is_some();
        let is_open = !matches!(size, Value::Int(_));
        if !is_open && !is_buffer(graph, p) && !is_buffer(graph, q) {
            return Ok(false);
        }
        if is_open || is_buffer(graph, p) {
            self.as_buffer(graph, q.node);
        }
        let Some(target) = graph.node(q.node).buffer().cloned() else {
            return match (size, q.at) {
                (Value::Int(count), None) => self.copy_into_cells(graph, q, p, count),
                (Value::Sym(s), None) if graph.ranges[s as usize].count() <= MOST_COUNTS => {
                    Err(Stop::Need(Need::Number(s)))
                }
                _ => Err(Stop::outside("a copy of an unknown number of characters")),
            };
        };
        if p.node == q.node && !may_overlap {
            return Err(Stop::outside("a copy within one object"));
        }
        if graph.order_of(size, Value::Int(0))? == Ordering::Less {
            return Err(Stop::outside("a very large size"));
        }
        let at = graph.position(q)?;
        target.may_be_written()?;
        graph.room(target.size, at, size)?;
        let source = self.source(graph, p, size)?;
        let ends = graph.order_of(size, source.characters)? == Ordering::Greater;
        let characters = if ends { source.characters } else { size };
        if ends && !source.ends {
            return Err(Stop::outside("a character that may not have been written"));
        }
        let end = graph.sum_of(at, 1, characters)?;
        if ends {
            // What stood behind may be overwritten by anything.
            graph.note_gap(q.node)?;
        }
        graph.note_characters(q.node, at, end)?;
        if ends {
            graph.note_zero(q.node, end)?;
            // Behind it there may be anything that was copied.
            graph.note_gap(q.node)?;
        }
        Ok(true)
    }

    /// Copies characters of a buffer into an object that is none, such as a struct with an array.
    fn copy_into_cells(
        &self,
        graph: &mut Graph,
        q: Place,
        p: Place,
        count: i64,
    ) -> Result<bool, Stop> {
        let far = || Stop::outside("a copy of an unknown number of characters");
        let size = u32::try_from(count).map_err(|_| far())?;
        let source = self.source(graph, p, Value::Int(count))?;
        let ends = graph.order_of(Value::Int(count), source.characters)? == Ordering::Greater;
        let characters = match source.characters {
            _ if !ends => count,
            Value::Int(characters) => characters,
            _ => return Err(far()),
        };
        if count > characters + i64::from(source.ends) {
            return Err(Stop::outside("a character that may not have been written"));
        }
        self.inside(graph, q, size)?;
        let is_heap = graph.object(q).is_some_and(|o| o.life == Lifetime::Heap && !o.constant);
        let cells = self.cells_between(graph, q, size)?;
        if !is_heap || cells.len() != size as usize {
            return Err(far());
        }
        for (cell, at, scalar) in cells {
            let Scalar::Int(kind @ IntKind { bits: 8, .. }) = scalar else { return Err(far()) };
            let value = match i64::from(at) < characters {
                true => graph.fresh(Range { hole: Some(0), ..full(kind) }.trimmed()),
                false => Value::Int(0),
            };
            if let Node::Object(o) = graph.node_mut(q.node) {
                o.cells[cell] = value;
            }
        }
        Ok(true)
    }

    /// What is read by a copy.
    fn source(&self, graph: &mut Graph, p: Place, size: Value) -> Result<Source, Stop> {
        if self.as_buffer_view(graph, p.node).is_none() && !matches!(size, Value::Int(_)) {
            return Err(Stop::outside("a copy of an unknown number of characters"));
        }
        let unknown = || Stop::outside("a copy between places of different types");
        let source = self.as_buffer_view(graph, p.node).ok_or_else(unknown)?;
        let at = graph.position(p)?;
        let all = graph.size_of_buffer(&source)?;
        graph.room(all, at, size)?;
        let is_behind = graph.order_of(at, source.length)? == Ordering::Greater;
        if is_behind
            && source.tail == Tail::Zero
            && source.more != Value::Any
            && graph.order_of(at, source.more)? != Ordering::Greater
        {
            let characters = graph.sum_of(source.more, -1, at)?;
            return Ok(Source { characters, ends: true });
        }
        if is_behind && source.tail != Tail::Zeros {
            return Err(Stop::outside("a character that may not have been written"));
        }
        let characters = match graph.order_of(at, source.length)? {
            Ordering::Greater => Value::Int(0),
            _ => graph.sum_of(source.length, -1, at)?,
        };
        Ok(Source { characters, ends: source.tail != Tail::Unknown })
    }

    /// An object as a buffer, as it is.
    fn as_buffer_view(&self, graph: &Graph, id: NodeId) -> Option<Buffer> {
        match graph.node(id) {
            Node::Buffer(b) => Some(b.clone()),
            Node::Object(o) => Buffer::of(&self.program.types, o, |v| graph.range(v)),
            _ => None,
        }
    }

    /// Fills bytes of a buffer. Whether that was what was to do.
    pub(crate) fn fill_bytes(
        &self,
        graph: &mut Graph,
        to: Value,
        byte: Value,
        size: Value,
    ) -> Result<bool, Stop> {
        let Value::Ptr(q) = to else { return Ok(false) };
        if !matches!(size, Value::Int(_)) {
            self.as_buffer(graph, q.node);
        }
        let Some(target) = graph.node(q.node).buffer().cloned() else { return Ok(false) };
        target.may_be_written()?;
        let Value::Int(byte) = byte else {
            return Err(Stop::outside("memset to a value that is not known"));
        };
        match graph.order_of(size, Value::Int(0))? {
            Ordering::Less => return Err(Stop::outside("a very large size")),
            Ordering::Equal => return Ok(true),
            Ordering::Greater => {}
        }
        let at = graph.position(q)?;
        graph.room(target.size, at, size)?;
        let end = graph.sum_of(at, 1, size)?;
        if byte as u8 != 0 {
            graph.note_characters(q.node, at, end)?;
            return Ok(true);
        }
        let whole = graph.order_of(end, target.size)? == Ordering::Equal;
        let zeros = whole && graph.order_of(at, target.length)? != Ordering::Greater;
        graph.note_zero(q.node, at)?;
        if let Node::Buffer(b) = graph.node_mut(q.node) {
            b.more = Value::Any;
        }
        if zeros {
            graph.set_buffer(q.node, at, Tail::Zeros);
        }
        Ok(true)
    }

    /// A new object whose size is not known, as far as graphs follow it.
    pub(crate) fn new_buffer(
        &self,
        graph: &mut Graph,
        ty: Option<TypeId>,
        size: Value,
        life: Lifetime,
        zeroed: bool,
    ) -> Result<Buffer, Stop> {
        let bytes = ty.is_none_or(|ty| is_bytes(&self.program.types, ty));
        if graph.relations.is_none() || !bytes {
            return Err(Stop::outside("an index or a size that is not known"));
        }
        let form = graph
            .form(size)
            .ok_or_else(|| Stop::outside("an index or a size that is not known"))?;
        let fits = |(lo, hi): (i128, i128)| 0 <= lo && hi <= i128::from(MOST_BYTES);
        if !graph.bounds(&form).is_some_and(fits) {
            return Err(Stop::outside("a very large size"));
        }
        let tail = if zeroed { Tail::Zeros } else { Tail::Unknown };
        let (literal, initial, constant, passed) = (false, false, false, false);
        Ok(Buffer {
            ty,
            life,
            literal,
            initial,
            constant,
            passed,
            size,
            length: Value::Int(0),
            tail,
            more: Value::Any,
        })
    }
}

/// The buffer of an access to one byte, and how it is read.
fn byte_access(graph: &Graph, place: Place, scalar: Scalar) -> Result<(Buffer, IntKind), Stop> {
    match (graph.node(place.node).buffer(), scalar) {
        (Some(b), Scalar::Int(kind)) if kind.bits == 8 => Ok((b.clone(), kind)),
        _ => Err(Stop::outside("access to bytes of a value")),
    }
}

/// Whether a character that is written is zero.
pub(crate) fn is_zero_byte(graph: &Graph, kind: IntKind, value: Value) -> Result<bool, Stop> {
    match value {
        Value::Int(i) => Ok(kind.wrap(i.into()) == 0),
        Value::Sym(s) => match graph.ranges[s as usize] {
            r if r.lo < -128 || r.hi > 255 => Err(Stop::outside("bytes of a value")),
            r if r.contains(0) => Err(Stop::Need(Need::Equal(s, 0))),
            _ => Ok(false),
        },
        Value::Range(r) if !r.contains(0) && r.lo >= -128 && r.hi <= 255 => Ok(false),
        _ => Err(Stop::outside("a character that may not have been written")),
    }
}
