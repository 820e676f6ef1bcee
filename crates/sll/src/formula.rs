//! A shape as a closed formula over reachability.
//!
//! Interruptions are the variables that point to them; one that no variable points to is bound by an
//! existential quantifier around the shape. Between these constants everything is said: which are
//! equal, which reach which. What lies on segments is said by universal formulas, lengths by these
//! or their negations. So a shape without nameless nodes has no alternation of quantifiers, and
//! neither has the condition that it is kept: both are in EPR.
//!
//! In a heap without cycles this says all that a shape says: paths of two interruptions that do not
//! reach each other meet first at an interruption, or never.

use trellis_logic::{FormulaId, FunId, RelId, TermId};
use trellis_program::{Reg, VarId};
use trellis_transys::{Flag, Location, RegSymbol, TransitionSystem};

use crate::heap::{Heap, Lengths, Ref};
use crate::program::{ListProgram, Slot};

/// Writes the shapes of one loop.
pub(crate) struct Writer<'a> {
    system: &'a mut TransitionSystem,
    location: Location,
    program: &'a ListProgram,
    closure: RelId,
    undefined: RelId,
    /// By list variable, the constant that has its value.
    names: Vec<Option<TermId>>,
    /// By list variable, the proposition that it has no value.
    unset: Vec<Option<RelId>>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(
        system: &'a mut TransitionSystem,
        at: usize,
        program: &'a ListProgram,
    ) -> Result<Self, String> {
        let [field] = &system.symbols.pointers[..] else {
            return Err("there is not exactly one pointer field".into());
        };
        let Some(closure) = field.theory.closure(field) else {
            return Err("the pointer field has no closure".into());
        };
        let undefined = field.undefined;
        let location = system.locations[at].clone();
        let count = program.vars.len();
        let mut writer = Writer {
            system,
            location,
            program,
            closure,
            undefined,
            names: vec![None; count],
            unset: vec![None; count],
        };
        writer.name_variables();
        Ok(writer)
    }

    fn name_variables(&mut self) {
        let program = self.program;
        let context = &program.contexts[0];
        let local = |v: usize| Reg::Local(VarId(v as u32));
        let now = context.vars.iter().enumerate().map(|(v, slot)| (local(v), *slot));
        let now = now.chain(program.globals.iter().copied());
        for (reg, slot) in now {
            let (Slot::List(x), Some(twin)) = (slot, self.system.symbols.regs.get(&reg)) else {
                continue;
            };
            if let RegSymbol::Ptr(fun) = twin.now {
                self.names[x] = self.constant(fun);
            }
            let unset = self.system.symbols.unset.get(&reg).copied();
            self.unset[x] = unset.filter(|p| self.location.propositions.contains(p));
        }
        for (p, slot) in context.entry.iter().enumerate() {
            let twin = self.system.symbols.regs.get(&local(p));
            if let (Slot::List(x), Some(twin)) = (*slot, twin)
                && let RegSymbol::Ptr(fun) = twin.entry
                && self.names[x].is_none()
            {
                self.names[x] = self.constant(fun);
            }
        }
    }

    /// A constant of the state at this location.
    fn constant(&mut self, fun: FunId) -> Option<TermId> {
        self.location.constants.contains(&fun).then(|| self.system.arena.constant(fun))
    }

    fn null(&mut self) -> TermId {
        self.system.arena.constant(self.system.symbols.null)
    }

    fn reach(&mut self, x: TermId, y: TermId) -> FormulaId {
        self.system.arena.rel(self.closure, &[x, y])
    }

    fn alloc(&mut self, x: TermId) -> FormulaId {
        self.system.arena.rel(self.system.symbols.alloc.now, &[x])
    }

    /// For all objects.
    fn all<const N: usize>(
        &mut self,
        body: impl FnOnce(&mut Self, [TermId; N]) -> FormulaId,
    ) -> FormulaId {
        let obj = self.system.symbols.obj;
        let vars: [_; N] =
            std::array::from_fn(|i| self.system.arena.variable(format!("v{i}"), obj));
        let terms = vars.map(|v| self.system.arena.var_term(v));
        let body = body(self, terms);
        self.system.arena.forall(&vars, body)
    }

    /// A shape; the error says what about it cannot be said.
    pub(crate) fn shape(&mut self, heap: &Heap) -> Result<FormulaId, String> {
        let named = |heap: &Heap, names: &[Option<TermId>], i: usize| {
            let holders = heap.vars.iter().zip(names).filter(|(v, _)| v.index() == Some(i));
            holders.filter_map(|(_, name)| *name).next()
        };
        let mut nameless = Vec::new();
        let mut nodes = Vec::new();
        for i in 0..heap.nodes.len() {
            nodes.push(match named(heap, &self.names, i) {
                Some(name) => name,
                None => {
                    let obj = self.system.symbols.obj;
                    let var = self.system.arena.variable(format!("s{}", nameless.len() + 1), obj);
                    nameless.push(var);
                    self.system.arena.var_term(var)
                }
            });
        }
        let mut parts = self.variables(heap, &nodes);
        parts.extend(self.integers(heap));
        parts.extend(self.interruptions(heap, &nodes));
        for (i, segment) in heap.nodes.iter().enumerate() {
            let to = match segment.to {
                Ref::NULL | Ref::UNDEF => None,
                to => match to.index() {
                    Some(j) => Some(nodes[j]),
                    None => return Err("a list leads to freed memory".into()),
                },
            };
            parts.extend(self.lengths(nodes[i], to, segment.lengths));
            parts.extend(self.list(heap, i, &nodes));
        }
        if self.program.track_garbage && !heap.garbage.any() {
            let roots = nodes.clone();
            parts.push(self.all(|this, [z]| {
                let reached: Vec<FormulaId> = roots.iter().map(|r| this.reach(*r, z)).collect();
                let (there, reached) = (this.alloc(z), this.system.arena.or(reached));
                this.system.arena.implies(there, reached)
            }));
        }
        let body = self.system.arena.and(parts);
        Ok(self.system.arena.exists(&nameless, body))
    }

    /// Where variables point.
    fn variables(&mut self, heap: &Heap, nodes: &[TermId]) -> Vec<FormulaId> {
        let null = self.null();
        let mut parts = Vec::new();
        for (x, at) in heap.vars.iter().enumerate() {
            if let Some(unset) = self.unset[x].filter(|_| *at != Ref::UNDEF) {
                let unset = self.system.arena.rel(unset, &[]);
                parts.push(self.system.arena.not(unset));
            }
            let Some(name) = self.names[x] else { continue };
            match (*at, at.index()) {
                (Ref::NULL, _) => parts.push(self.system.arena.eq(name, null)),
                (_, Some(i)) if nodes[i] != name => {
                    parts.push(self.system.arena.eq(name, nodes[i]));
                }
                (Ref::DANGLING, _) => {
                    let there = self.alloc(name);
                    parts.push(self.system.arena.not(there));
                    parts.push(self.system.arena.ne(name, null));
                }
                _ => {}
            }
        }
        parts
    }

    /// The integers that are known.
    fn integers(&mut self, heap: &Heap) -> Vec<FormulaId> {
        let program = self.program;
        let mut parts = Vec::new();
        for (v, slot) in program.contexts[0].vars.iter().enumerate() {
            let reg = Reg::Local(VarId(v as u32));
            let (Slot::Int(i), Some(twin)) = (*slot, self.system.symbols.regs.get(&reg)) else {
                continue;
            };
            let Some(&value) = program.constants.get(usize::from(heap.ints[i])) else { continue };
            match twin.now {
                RegSymbol::Int(Flag::Truth(rel)) if self.location.propositions.contains(&rel) => {
                    let truth = self.system.arena.rel(rel, &[]);
                    let holds = if value == 0 { self.system.arena.not(truth) } else { truth };
                    parts.push(holds);
                }
                RegSymbol::Int(Flag::Data(fun)) => {
                    let known = self.system.symbols.constants.get(&i128::from(value)).copied();
                    if let (Some(name), Some(known)) = (self.constant(fun), known) {
                        let known = self.system.arena.constant(known);
                        parts.push(self.system.arena.eq(name, known));
                    }
                }
                _ => {}
            }
        }
        parts
    }

    /// Interruptions are different allocated objects, and reach each other along segments only.
    fn interruptions(&mut self, heap: &Heap, nodes: &[TermId]) -> Vec<FormulaId> {
        let null = self.null();
        let mut parts = Vec::new();
        let paths: Vec<_> = (0..nodes.len()).map(|i| heap.path(Ref::node(i))).collect();
        for i in 0..nodes.len() {
            parts.push(self.system.arena.ne(nodes[i], null));
            parts.push(self.alloc(nodes[i]));
            for j in (0..nodes.len()).filter(|&j| j != i) {
                let reach = self.reach(nodes[i], nodes[j]);
                let reaches = paths[i].contains(&j);
                parts.push(if reaches { reach } else { self.system.arena.not(reach) });
                if j < i || reaches || paths[j].contains(&i) {
                    continue;
                }
                parts.push(self.system.arena.ne(nodes[i], nodes[j]));
                let meet = paths[i].iter().find(|m| paths[j].contains(m)).map(|m| nodes[*m]);
                let pair = [nodes[i], nodes[j]];
                parts.push(self.all(|this, [z]| {
                    let mut both: Vec<FormulaId> = pair.iter().map(|p| this.reach(*p, z)).collect();
                    both.push(this.system.arena.ne(z, null));
                    let both = this.system.arena.and(both);
                    let behind = meet.map_or(FormulaId::FALSE, |m| this.reach(m, z));
                    this.system.arena.implies(both, behind)
                }));
            }
        }
        parts
    }

    /// That an object lies on a segment, ends not included; a segment without a target ends.
    fn between(&mut self, from: TermId, z: TermId, to: Option<TermId>) -> FormulaId {
        let reached = self.reach(from, z);
        let mut parts = vec![reached, self.system.arena.ne(z, from)];
        match to {
            Some(to) => {
                parts.push(self.reach(z, to));
                parts.push(self.system.arena.ne(z, to));
            }
            None => {
                let null = self.null();
                parts.push(self.system.arena.ne(z, null));
            }
        }
        self.system.arena.and(parts)
    }

    /// How long a segment is.
    fn lengths(&mut self, from: TermId, to: Option<TermId>, lengths: Lengths) -> Option<FormulaId> {
        let nothing = self.all(|this, [z]| {
            let between = this.between(from, z, to);
            this.system.arena.not(between)
        });
        let at_most_one = self.all(|this, [z, w]| {
            let both = [this.between(from, z, to), this.between(from, w, to)];
            let both = this.system.arena.and(both);
            let same = this.system.arena.eq(z, w);
            this.system.arena.implies(both, same)
        });
        let arena = &mut self.system.arena;
        let (some, several) = (arena.not(nothing), arena.not(at_most_one));
        let classes = lengths.classes().map(|class| match class {
            Lengths::ONE => nothing,
            Lengths::TWO => arena.and([some, at_most_one]),
            _ => several,
        });
        let classes: Vec<FormulaId> = classes.collect();
        match lengths {
            Lengths::ANY => None,
            Lengths::LONG => Some(some),
            _ if lengths == Lengths::ONE.or(Lengths::TWO) => Some(at_most_one),
            _ => Some(arena.or(classes)),
        }
    }

    /// What is reached from an interruption is allocated, and its field has a value unless the list
    /// ends in one that has none.
    fn list(&mut self, heap: &Heap, i: usize, nodes: &[TermId]) -> Vec<FormulaId> {
        let (from, null) = (nodes[i], self.null());
        let reached = |this: &mut Self, z: TermId| {
            let parts = [this.reach(from, z), this.system.arena.ne(z, null)];
            this.system.arena.and(parts)
        };
        let mut parts = vec![self.all(|this, [z]| {
            let (reached, there) = (reached(this, z), this.alloc(z));
            this.system.arena.implies(reached, there)
        })];
        if !self.location.relations.contains(&self.undefined) {
            return parts;
        }
        let (undefined, end) = (self.undefined, heap.end(Ref::node(i)));
        parts.push(self.all(|this, [z, w]| {
            let without = this.system.arena.rel(undefined, &[z]);
            let found = reached(this, z);
            let both = this.system.arena.and([found, without]);
            let last = match end {
                Some(Ref::UNDEF) => {
                    let on = this.reach(z, w);
                    let stops = [this.system.arena.eq(w, z), this.system.arena.eq(w, null)];
                    let stops = this.system.arena.or(stops);
                    this.system.arena.implies(on, stops)
                }
                _ => FormulaId::FALSE,
            };
            this.system.arena.implies(both, last)
        }));
        parts
    }

    /// What shapes take for granted, as far as the state can say it. Each may be wrong.
    pub(crate) fn facts(&mut self) -> Vec<FormulaId> {
        let alloc = self.system.symbols.alloc;
        let null = self.null();
        let closure = self.closure;
        let mut facts = vec![
            // What is allocated leads to what is allocated.
            self.all(|this, [x, y]| {
                let arena = &mut this.system.arena;
                let parts =
                    [arena.rel(alloc.now, &[x]), arena.rel(closure, &[x, y]), arena.ne(y, null)];
                let (premise, there) = (arena.and(parts), arena.rel(alloc.now, &[y]));
                arena.implies(premise, there)
            }),
            // What is not allocated leads nowhere.
            self.all(|this, [x, y]| {
                let arena = &mut this.system.arena;
                let parts = [arena.rel(closure, &[x, y]), arena.ne(x, y), arena.ne(y, null)];
                let (premise, there) = (arena.and(parts), arena.rel(alloc.now, &[x]));
                arena.implies(premise, there)
            }),
        ];
        let only = |this: &mut Self, a: RelId, b: RelId, truth: bool| {
            this.all(|this, [x]| {
                let arena = &mut this.system.arena;
                let (a, b) = (arena.rel(a, &[x]), arena.rel(b, &[x]));
                let b = if truth { b } else { arena.not(b) };
                arena.implies(a, b)
            })
        };
        if alloc.now != alloc.entry {
            facts.push(only(self, alloc.now, alloc.entry, true));
            facts.push(only(self, alloc.entry, alloc.now, true));
        }
        let undefined = self.system.symbols.integers.iter().map(|f| f.undefined);
        let undefined = undefined.chain([self.undefined]);
        let undefined: Vec<RelId> =
            undefined.filter(|r| self.location.relations.contains(r)).collect();
        facts.extend(undefined.into_iter().map(|rel| only(self, alloc.now, rel, false)));
        let types: Vec<RelId> = self.system.symbols.types.values().copied().collect();
        facts.extend(types.into_iter().map(|ty| only(self, alloc.now, ty, true)));
        let unset = self.system.symbols.unset.values().copied();
        let unset: Vec<RelId> = unset.filter(|p| self.location.propositions.contains(p)).collect();
        for rel in unset {
            let unset = self.system.arena.rel(rel, &[]);
            facts.push(self.system.arena.not(unset));
        }
        facts
    }
}
