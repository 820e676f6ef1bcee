//! Paths over a field: `reach` and the predicates built on it.
//!
//! A field is a partial function on places, so everything follows from one walk, the *orbit* of a
//! place: a path that ends, or a tail into a cycle. Null has no successor, and neither has a place
//! whose field cannot be read or was never written. Walks find cycles by Brent's method (R. P.
//! Brent, An improved Monte Carlo factorization algorithm, 1980), without a visited set.

use smallvec::SmallVec;

use super::terms::{Place, load};
use super::{Evaluator, Truth};
use crate::concrete::memory::{Pointer, Value};
use crate::spec::{Derived, FieldRef, Label};

/// Where a field leads in one step.
pub(super) enum Next {
    To(Pointer),
    Null,
    /// Nowhere.
    Stop,
    /// Not chosen yet.
    Open,
}

/// How an orbit ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Null,
    Stop,
    Open,
    /// In a cycle that begins at this node.
    Cycle(usize),
}

/// The places reachable from one, in order.
pub(super) struct Orbit {
    /// All different.
    nodes: SmallVec<[Pointer; 16]>,
    end: End,
}

impl Orbit {
    /// The nodes, if they are all known.
    pub(super) fn all(self) -> Option<impl Iterator<Item = Pointer>> {
        (self.end != End::Open).then(|| self.nodes.into_iter())
    }

    /// How many nodes lie between the first and `to`, ends included: a prefix of the orbit, and
    /// all of it when `to` is on the cycle. `Err` if that is not known yet.
    fn segment(&self, to: Place) -> Result<usize, ()> {
        let Some(to) = to else {
            return match self.end {
                End::Null => Ok(self.nodes.len()),
                End::Open => Err(()),
                End::Stop | End::Cycle(_) => Ok(0),
            };
        };
        match (self.nodes.iter().position(|n| *n == to), self.end) {
            (_, End::Open) => Err(()),
            (None, _) => Ok(0),
            (Some(at), End::Cycle(start)) if at >= start => Ok(self.nodes.len()),
            (Some(at), _) => Ok(at + 1),
        }
    }
}

/// Brent's cycle detection, fed one place at a time.
struct Brent {
    anchor: Pointer,
    steps: usize,
    limit: usize,
}

impl Brent {
    fn new(anchor: Pointer) -> Brent {
        Brent { anchor, steps: 0, limit: 1 }
    }

    /// The length of the cycle, once the walk has gone round it.
    fn step(&mut self, to: Pointer) -> Option<usize> {
        self.steps += 1;
        if to == self.anchor {
            return Some(self.steps);
        }
        if self.steps == self.limit {
            self.anchor = to;
            self.steps = 0;
            self.limit *= 2;
        }
        None
    }
}

impl<'a> Evaluator<'a> {
    pub(super) fn next(&self, field: &FieldRef, at: Pointer) -> Next {
        let at = Pointer { obj: at.obj, off: at.off.wrapping_add(field.offset as i32) };
        match load(self.memory(), &self.env.program.types, at, field.scalar) {
            Some(Value::Ptr(p)) => Next::To(p),
            Some(Value::Null) => Next::Null,
            Some(Value::Open) => Next::Open,
            Some(Value::Undef | Value::Int(_) | Value::Piece(..) | Value::Bytes) | None => {
                Next::Stop
            }
        }
    }

    /// `reach` and, in one or more steps, `reach1`.
    pub(super) fn reach(&self, field: &FieldRef, strict: bool, from: Place, to: Place) -> Truth {
        if !strict && from == to {
            return Truth::True;
        }
        let Some(mut at) = from else {
            return Truth::False;
        };
        let mut brent = Brent::new(at);
        loop {
            match self.next(field, at) {
                Next::To(p) if Some(p) == to => return Truth::True,
                Next::To(p) if brent.step(p).is_some() => return Truth::False,
                Next::To(p) => at = p,
                Next::Null => return to.is_none().into(),
                Next::Stop => return Truth::False,
                Next::Open => return Truth::Undefined,
            }
        }
    }

    pub(super) fn orbit(&self, field: &FieldRef, from: Place) -> Orbit {
        let mut nodes = SmallVec::new();
        let Some(mut at) = from else {
            let end = End::Null;
            return Orbit { nodes, end };
        };
        let mut brent = Brent::new(at);
        let end = loop {
            nodes.push(at);
            match self.next(field, at) {
                Next::To(p) => {
                    if let Some(length) = brent.step(p) {
                        nodes.push(p);
                        let start = (0..).find(|&i| nodes[i] == nodes[i + length]);
                        let start = start.expect("the walk went round the cycle");
                        nodes.truncate(start + length);
                        break End::Cycle(start);
                    }
                    at = p;
                }
                Next::Null => break End::Null,
                Next::Stop => break End::Stop,
                Next::Open => break End::Open,
            }
        };
        Orbit { nodes, end }
    }

    /// Whether a place lies in an allocated object.
    pub(super) fn is_allocated(&self, place: Place) -> bool {
        place.is_some_and(|p| {
            let object = self.memory().objects.get(p.obj.0 as usize);
            object.is_some_and(|o| o.live && p.off >= 0 && (p.off as u32) < o.size.max(1))
        })
    }

    /// Whether so many bytes may be read and written.
    pub(super) fn is_valid(&self, place: Place, bytes: u32) -> bool {
        self.is_allocated(place)
            && place.is_some_and(|p| self.memory().access(Value::Ptr(p), bytes).is_ok())
    }

    pub(super) fn derived(&mut self, d: &'a Derived) -> Truth {
        let mut ends = [None; 2];
        let terms = match d {
            Derived::Stable(_, a) | Derived::Cyclic(_, a) | Derived::Tree(_, a) => [Some(a), None],
            Derived::ListSegment(_, a, b)
            | Derived::ReachOver(_, a, b)
            | Derived::Reverse(_, _, a, b)
            | Derived::Sorted(_, _, a, b) => [Some(a), Some(b)],
        };
        for (end, term) in ends.iter_mut().zip(terms) {
            let Some(term) = term else { break };
            match self.place(term) {
                Some(place) => *end = place,
                None => return Truth::Undefined,
            }
        }
        let [x, y] = ends;
        match d {
            Derived::ListSegment(f, ..) => self.list_segment(f, x, y),
            Derived::Stable(f, _) => self.stable(f, x),
            Derived::Reverse(f, back, ..) => self.reverse(f, back, x, y),
            Derived::Sorted(f, key, ..) => self.sorted(f, key, x, y),
            Derived::Cyclic(_, _) if x.is_none() => Truth::False,
            Derived::Cyclic(f, _) => self.reach(f, true, x, x),
            Derived::ReachOver(fields, ..) => self.reach_over(fields, x, y),
            Derived::Tree(fields, _) => self.tree(fields, x),
        }
    }

    /// Only the last place of a path can be dead, for dead places have no successor.
    fn stable(&self, field: &FieldRef, from: Place) -> Truth {
        let orbit = self.orbit(field, from);
        match orbit.nodes.last() {
            Some(&last) if !self.is_allocated(Some(last)) => Truth::False,
            _ if orbit.end == End::Open => Truth::Undefined,
            _ => orbit.nodes.iter().all(|&n| self.is_allocated(Some(n))).into(),
        }
    }

    /// A path that enters the segment from outside has a last place outside the orbit of `x`, and
    /// a next one in the segment: it is enough to look at single steps. One into `x` itself is
    /// allowed, and any if `x` is on the cycle, for then the path goes on to `x`.
    fn list_segment(&mut self, field: &FieldRef, x: Place, y: Place) -> Truth {
        let orbit = self.orbit(field, x);
        let (inside, open) = match orbit.segment(y) {
            // A path to null that is entered from outside stays so however it goes on.
            Err(()) if y.is_none() => (&orbit.nodes[..], true),
            Err(()) => return Truth::Undefined,
            Ok(0) => return (x == y).into(),
            Ok(n) => (&orbit.nodes[..n], false),
        };
        if orbit.end == End::Cycle(0) {
            return Truth::True;
        }
        let entered = self.any_place(field.owner, |e, b| {
            if orbit.nodes.contains(&b) {
                return Truth::False;
            }
            match e.next(field, b) {
                Next::To(a) => inside[1..].contains(&a).into(),
                Next::Open => Truth::Undefined,
                Next::Null | Next::Stop => Truth::False,
            }
        });
        match entered {
            Truth::False if open || self.is_partial() => Truth::Undefined,
            entered => !entered,
        }
    }

    /// Whether `found` holds at some place of memory with the type `owner`.
    fn any_place(
        &self,
        owner: crate::types::TypeId,
        mut found: impl FnMut(&Self, Pointer) -> Truth,
    ) -> Truth {
        let memory = self.memory();
        let mut known = Truth::False;
        for id in memory.ids() {
            let object = memory.object(id);
            if !object.live {
                continue;
            }
            super::domains::places_in(&self.env.program.types, object, owner, &mut |off| {
                if known != Truth::True {
                    known = known.max(found(self, Pointer { obj: id, off }));
                }
            });
            if known == Truth::True {
                break;
            }
        }
        known
    }

    /// On a path `p0 … pk` the reverse field must lead from each place back to the one before it
    /// and from `p0` to none, where places off the segment may lie in between.
    fn reverse(&self, field: &FieldRef, back: &FieldRef, x: Place, y: Place) -> Truth {
        let orbit = self.orbit(field, x);
        let Ok(n) = orbit.segment(y) else {
            return Truth::Undefined;
        };
        let nodes = &orbit.nodes[..n];
        if let End::Cycle(start) = orbit.end
            && n > start
        {
            return self.reverse_of_cycle(back, nodes, start);
        }
        let mut known = Truth::True;
        for (j, &from) in nodes.iter().enumerate() {
            known = known.and(match self.next_in(back, from, nodes) {
                Err(()) => Truth::Undefined,
                Ok(hit) if j > 0 => (hit == Some(j - 1)).into(),
                Ok(hit) => matches!(hit, None | Some(0)).into(),
            });
            if known == Truth::False {
                break;
            }
        }
        known
    }

    /// The definition of `rev` where everything from `start` on reaches everything from there on.
    fn reverse_of_cycle(&self, back: &FieldRef, nodes: &[Pointer], start: usize) -> Truth {
        let mut known = Truth::True;
        for (i, &u) in nodes.iter().enumerate() {
            for (j, &v) in nodes.iter().enumerate() {
                let forth = i <= j || j >= start;
                let back = self.reach(back, false, Some(v), Some(u));
                known = known.and(if forth { back } else { !back });
                if known == Truth::False {
                    return known;
                }
            }
        }
        known
    }

    /// The first of `nodes` that is reached from `from` in one or more steps.
    fn next_in(
        &self,
        field: &FieldRef,
        from: Pointer,
        nodes: &[Pointer],
    ) -> Result<Option<usize>, ()> {
        let mut brent = Brent::new(from);
        let mut at = from;
        loop {
            match self.next(field, at) {
                Next::To(p) => {
                    if let Some(i) = nodes.iter().position(|n| *n == p) {
                        return Ok(Some(i));
                    }
                    if brent.step(p).is_some() {
                        return Ok(None);
                    }
                    at = p;
                }
                Next::Null | Next::Stop => return Ok(None),
                Next::Open => return Err(()),
            }
        }
    }

    /// On a path, every key is at least the largest before it; on a cycle all are equal.
    fn sorted(&self, field: &FieldRef, key: &FieldRef, x: Place, y: Place) -> Truth {
        let orbit = self.orbit(field, x);
        let Ok(n) = orbit.segment(y) else {
            return Truth::Undefined;
        };
        let cycle = match orbit.end {
            End::Cycle(start) => start,
            _ => n,
        };
        let mut known = Truth::True;
        let mut largest = None;
        let mut on_cycle = None;
        for (i, &node) in orbit.nodes[..n].iter().enumerate() {
            let Some(k) = self.key(key, node) else {
                known = Truth::Undefined;
                continue;
            };
            let round = i >= cycle && on_cycle.is_some_and(|c| c != k);
            if largest > Some(k) || round {
                return Truth::False;
            }
            largest = Some(k);
            if i >= cycle {
                on_cycle = Some(k);
            }
        }
        known
    }

    fn key(&self, key: &FieldRef, at: Pointer) -> Option<i128> {
        let at = Pointer { obj: at.obj, off: at.off.wrapping_add(key.offset as i32) };
        match (load(self.memory(), &self.env.program.types, at, key.scalar)?, key.scalar) {
            (Value::Int(i), crate::types::Scalar::Int(kind)) => Some(kind.value(i)),
            _ => None,
        }
    }

    /// Whether some value is not chosen yet, so that there may be more objects in the end.
    pub(super) fn is_partial(&mut self) -> bool {
        if self.view == Label::Pre && self.env.pre.is_some() {
            return false;
        }
        let env = &self.env;
        *self.partial.get_or_insert_with(|| {
            [&env.memory.cells[..], env.globals, env.locals]
                .iter()
                .any(|values| values.contains(&Value::Open))
        })
    }
}
