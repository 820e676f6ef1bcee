//! The initial heaps of a procedure: each isomorphism class once, smallest first.
//!
//! A heap is built by filling *slots*: arguments, globals, and the cells of every object that comes
//! into being. A pointer slot takes null, an object that is already there, or the next new object;
//! since objects are numbered in the order in which filling finds them, no two heaps that differ
//! only in names are ever built. Pointers are filled before integers. As soon as a conjunct of
//! `requires` is false on the partial heap, and must stay false, the heap is dropped.
//!
//! Without a contract a pointer is null or points to the start of an allocated object of its type;
//! a `void *`, or a pointer to an incomplete type, to an object of any type: one that is there, or
//! a new one of a type that the code converts pointers to. Where it converts none, to one that
//! nobody can look into. A pointer to a function is null or leads to one of the program that can be
//! called like that, or to what stands for those that only callers know.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use trellis_program::concrete::initial::{GlobalStart, global_memory};
use trellis_program::concrete::spec_eval::{SpecEnv, Truth};
use trellis_program::concrete::{InitialHeap, Lifetime, Machine, ObjId, Value, mark_sets};
use trellis_program::spec::{Derived, Formula, Label, PredId, Sort, Term};
use trellis_program::types::{Layout, TypeTable};
use trellis_program::{
    CheckKind, InstrKind, IntKind, ProcId, Program, Scalar, Storage, TypeId, cfg,
};

use crate::arguments::{are_passed, odd_arguments, only_counts, with_arguments};
use crate::relevance::Relevance;

/// All initial heaps of a procedure.
pub struct HeapSpace<'m> {
    machine: &'m Machine<'m>,
    proc: ProcId,
    relevance: Relevance,
    /// The conjuncts of `requires`.
    conjuncts: Vec<Conjunct>,
    /// The types that reachable code gives to memory without a type.
    conversions: BTreeSet<TypeId>,
    /// The types whose objects own others, if some memory is freed.
    owners: BTreeSet<TypeId>,
    /// Nothing is called through a pointer, so that there are functions nobody has named.
    is_function_unknown: bool,
    /// Most elements of an array of Java, if not as many as there are objects.
    longest: usize,
    /// Asked now and then; the enumeration breaks off when it says so.
    stop: Option<&'m (dyn Fn() -> bool + Sync)>,
}

struct Conjunct {
    /// Under `\old`, so that it reads parameters as they were passed.
    formula: Formula,
    /// False on a partial heap stays false on every completion of it.
    stays_false: bool,
    /// Whether integers have a say in it.
    reads_integers: bool,
}

/// A place to be filled.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Arg(u32),
    Global(u32),
    Cell(u32),
}

/// A heap with open slots. The first `next` slots are filled: of the pointers, and once those are all
/// filled, of the integers.
#[derive(Clone, Debug)]
pub struct Partial {
    heap: InitialHeap,
    pointers: Vec<(Slot, Scalar)>,
    ints: Vec<(Slot, Scalar)>,
    next: usize,
    objects: usize,
    /// Slots filled on the way here, for asking now and then whether to stop.
    filled: u32,
}

type Flow = ControlFlow<()>;

impl<'m> HeapSpace<'m> {
    /// The heaps that `proc` can start from.
    pub fn new(machine: &'m Machine<'m>, proc: ProcId) -> HeapSpace<'m> {
        let program = machine.program;
        let mut conjuncts = Vec::new();
        for clause in &program.proc(proc).contract.requires {
            for formula in clause.formula.conjuncts() {
                let stays_false = stays(program, formula, false, &mut Vec::new());
                let reads_integers = reads_integers(program, proc, formula);
                let formula = Formula::At(Label::Pre, Box::new(formula.clone()));
                conjuncts.push(Conjunct { formula, stays_false, reads_integers });
            }
        }
        let relevance = Relevance::of(program, proc);
        let conversions = conversions(program, proc);
        let owners = owners(program, proc);
        let is_function_unknown = !calls_pointers(program, proc);
        HeapSpace {
            machine,
            proc,
            relevance,
            conjuncts,
            conversions,
            owners,
            is_function_unknown,
            longest: 0,
            stop: None,
        }
    }

    /// The same, where arrays of Java may have so many elements even if there are fewer objects.
    pub fn with_arrays(self, longest: usize) -> HeapSpace<'m> {
        HeapSpace { longest, ..self }
    }

    /// The same, breaking off the enumeration when `stop` says so.
    pub fn stopping(self, stop: &'m (dyn Fn() -> bool + Sync)) -> HeapSpace<'m> {
        HeapSpace { stop: Some(stop), ..self }
    }

    /// Whether there is only one initial heap: the start of a whole program.
    fn is_whole_program(&self) -> bool {
        self.machine.program.is_whole_program(self.proc)
    }

    /// Calls `f` with every heap of exactly `objects` heap objects.
    pub fn for_each(&self, objects: usize, f: &mut dyn FnMut(&InitialHeap) -> Flow) -> Flow {
        self.for_each_partial(objects, 0, &mut |partial| self.complete(partial, f))
    }

    /// Calls `f` with partial heaps that together complete to every heap of exactly `objects`
    /// objects, each with at most `open` integers still open (if it has that many).
    pub fn for_each_partial(
        &self,
        objects: usize,
        open: usize,
        f: &mut dyn FnMut(Partial) -> Flow,
    ) -> Flow {
        let Some(mut partial) = self.start(objects) else {
            return Flow::Continue(());
        };
        self.fill_pointers(&mut partial, objects, &mut |p: &mut Partial| {
            let filled = std::mem::replace(&mut p.next, 0);
            let prefix = p.ints.len().saturating_sub(open);
            let flow = self.fill_ints(p, prefix, &mut |p| f(p.clone()));
            p.next = filled;
            flow
        })
    }

    /// Calls `f` with every completion of a partial heap.
    pub fn complete(&self, mut partial: Partial, f: &mut dyn FnMut(&InitialHeap) -> Flow) -> Flow {
        let all = partial.ints.len();
        self.fill_ints(&mut partial, all, &mut |p| {
            let settled = self.settled(&p.heap);
            let heap = settled.as_ref().unwrap_or(&p.heap);
            if self.can_start(heap) { f(heap) } else { Flow::Continue(()) }
        })
    }

    /// The heap with the members of unions that were not chosen; `None` if there are none.
    fn settled(&self, heap: &InitialHeap) -> Option<InitialHeap> {
        let types = &self.machine.program.types;
        let overlaps = |id: &ObjId| self.layout_of(heap, *id).is_some_and(|l| l.overlaps);
        let unions: Vec<ObjId> = heap.memory.ids().filter(overlaps).collect();
        if unions.is_empty() {
            return None;
        }
        let mut heap = heap.clone();
        unions.iter().for_each(|id| heap.memory.settle(types, *id));
        Some(heap)
    }

    fn layout_of(&self, heap: &InitialHeap, id: ObjId) -> Option<&Layout> {
        heap.memory.object(id).ty.and_then(|t| self.machine.program.types.layout(t))
    }

    /// Heap number `n` (from 0) of the enumeration up to `objects` objects.
    pub fn nth(&self, objects: usize, n: u64) -> Option<InitialHeap> {
        let (mut left, mut found) = (n, None);
        self.for_each_up_to(objects, &mut |heap| {
            if left == 0 {
                found = Some(heap.clone());
                return Flow::Break(());
            }
            left -= 1;
            Flow::Continue(())
        });
        found
    }

    /// A random heap of at most `objects` objects: each of the first million is equally likely.
    pub fn random(&self, objects: usize, seed: u64) -> Option<InitialHeap> {
        const MOST: u64 = 1_000_000;
        let (mut seen, mut random, mut found) = (0, SplitMix(seed), None);
        self.for_each_up_to(objects, &mut |heap| {
            seen += 1;
            if random.next() % seen == 0 {
                found = Some(heap.clone());
            }
            if seen == MOST { Flow::Break(()) } else { Flow::Continue(()) }
        });
        found
    }

    fn for_each_up_to(&self, objects: usize, f: &mut dyn FnMut(&InitialHeap) -> Flow) {
        // An early end is an answer, not an error.
        let _ = (0..=objects).try_for_each(|n| self.for_each(n, f));
    }

    /// Whether the procedure can start from a complete heap: it satisfies `requires`, and a whole
    /// program gets arguments such as a host passes.
    pub fn can_start(&self, heap: &InitialHeap) -> bool {
        let passed = || are_passed(self.machine.program, self.proc, heap);
        self.satisfies_requires(heap) && (!self.is_whole_program() || passed())
    }

    /// Whether a complete heap satisfies `requires`.
    pub fn satisfies_requires(&self, heap: &InitialHeap) -> bool {
        let locals = self.locals(heap);
        let env = self.env(heap, &locals);
        self.conjuncts.iter().all(|c| env.truth(&c.formula) == Truth::True)
    }

    /// The heap with nothing filled; `None` if `objects` cannot be reached at all.
    fn start(&self, objects: usize) -> Option<Partial> {
        let program = self.machine.program;
        let proc = program.proc(self.proc);
        if self.is_whole_program() {
            return self.start_of_program(objects);
        }
        let (memory, globals) = global_memory(program, GlobalStart::Open);
        let args = vec![Value::Open; proc.params];
        let heap = InitialHeap { memory, globals, args };
        let mut partial =
            Partial { heap, pointers: vec![], ints: vec![], next: 0, objects: 0, filled: 0 };
        for i in 0..proc.params {
            match program.types.scalar(proc.vars[i].ty) {
                None => self.add_struct_argument(&mut partial, i),
                scalar => {
                    let relevant = self.relevance.param(i);
                    self.add_slot(&mut partial, Slot::Arg(i as u32), scalar, relevant);
                }
            }
        }
        for (i, g) in program.globals.iter().enumerate() {
            let relevant = self.relevance.global(i);
            match g.storage {
                Storage::Register => {
                    let scalar = program.types.scalar(g.ty);
                    self.add_slot(&mut partial, Slot::Global(i as u32), scalar, relevant);
                }
                Storage::Object => {
                    if let Value::Ptr(p) = partial.heap.globals[i] {
                        self.add_cells(&mut partial, p.obj, relevant, true);
                    }
                }
            }
        }
        Some(partial)
    }

    /// The start of a whole program with `objects` arguments.
    fn start_of_program(&self, objects: usize) -> Option<Partial> {
        let program = self.machine.program;
        if only_counts(program, self.proc) {
            return (objects == 0).then(|| self.counting_start());
        }
        let looked_at = (0..program.proc(self.proc).params).any(|i| self.relevance.param(i));
        let count = if looked_at { objects } else { 1 };
        let (heap, firsts) = match with_arguments(program, self.proc, count) {
            Some(start) if looked_at || objects == 0 => start,
            None if objects == 0 => {
                let args = odd_arguments(program, self.proc);
                (InitialHeap { args, ..InitialHeap::of_main(program) }, vec![])
            }
            _ => return None,
        };
        let mut partial =
            Partial { heap, pointers: vec![], ints: vec![], next: 0, objects, filled: 0 };
        let char = Some(Scalar::Int(IntKind::CHAR));
        for first in firsts {
            partial.set(Slot::Cell(first), Value::Open);
            self.add_slot(&mut partial, Slot::Cell(first), char, looked_at);
        }
        Some(partial)
    }

    /// The start of a whole program that looks at the number of its arguments only.
    fn counting_start(&self) -> Partial {
        let program = self.machine.program;
        let args = vec![Value::Open];
        let heap = InitialHeap { args, ..InitialHeap::of_main(program) };
        let mut partial =
            Partial { heap, pointers: vec![], ints: vec![], next: 0, objects: 0, filled: 0 };
        let scalar = program.types.scalar(program.proc(self.proc).vars[0].ty);
        self.add_slot(&mut partial, Slot::Arg(0), scalar, self.relevance.param(0));
        partial
    }

    /// Where a run of a whole program starts unless it is told: with its name as the only argument.
    pub fn program_start(&self) -> Option<InitialHeap> {
        if !self.is_whole_program() {
            return None;
        }
        match with_arguments(self.machine.program, self.proc, 1) {
            Some((heap, _)) => Some(heap),
            None => self.nth(0, 0),
        }
    }

    fn add_slot(&self, p: &mut Partial, slot: Slot, scalar: Option<Scalar>, relevant: bool) {
        if p.get(slot) != Value::Open {
            return;
        }
        match scalar {
            Some(s @ Scalar::Ptr(_)) if relevant => p.pointers.push((slot, s)),
            Some(s @ (Scalar::Int(_) | Scalar::Bits(_))) if relevant => p.ints.push((slot, s)),
            Some(Scalar::Float(_)) | None => p.set(slot, Value::Undef),
            Some(s) => p.set(slot, Value::zero(s)),
        }
    }

    /// A struct passed by value: the machine copies it from an object of the caller.
    fn add_struct_argument(&self, p: &mut Partial, param: usize) {
        let types = &self.machine.program.types;
        let ty = self.machine.program.proc(self.proc).vars[param].ty;
        let memory = &mut p.heap.memory;
        let size = types.size_of(ty).unwrap_or(0);
        let id = memory.allocate(types, Some(ty), size, Lifetime::Global, |_| Value::Open);
        memory.objects[id.0 as usize].initial = true;
        p.heap.args[param] = Value::to_start(id);
        self.add_cells(p, id, true, true);
    }

    fn add_cells(&self, p: &mut Partial, obj: ObjId, relevant: bool, pointers_first: bool) {
        let program = self.machine.program;
        let object = *p.heap.memory.object(obj);
        let Some(ty) = object.ty else { return };
        let contents: Vec<_> = p.heap.memory.contents(&program.types, obj).collect();
        let overlaps = program.types.layout(ty).is_some_and(|l| l.overlaps);
        let chosen = chosen_cells(&program.types, &contents, pointers_first);
        for (i, (offset, scalar, _)) in contents.into_iter().enumerate() {
            // Of cells that share bytes, one is chosen and tells the others.
            if overlaps && !chosen.contains(&i) {
                continue;
            }
            let matters = match scalar {
                Scalar::Int(_) | Scalar::Bits(_) => {
                    overlaps || self.relevance.cell(program, ty, offset)
                }
                _ => true,
            };
            let slot = Slot::Cell(object.start + i as u32);
            self.add_slot(p, slot, Some(scalar), relevant && matters);
        }
    }

    fn fill_pointers(
        &self,
        p: &mut Partial,
        objects: usize,
        f: &mut dyn FnMut(&mut Partial) -> Flow,
    ) -> Flow {
        self.poll(p)?;
        if !self.still_possible(p, |_| true) {
            return Flow::Continue(());
        }
        let here = p.next;
        // What may point to anything is filled when everything else is there.
        let typed = p.pointers[here..].iter().position(|(_, s)| self.has_element_type(*s));
        let chosen = here + typed.unwrap_or(0);
        let Some(&(slot, Scalar::Ptr(pointee))) = p.pointers.get(chosen) else {
            return if p.objects == objects { f(p) } else { Flow::Continue(()) };
        };
        p.pointers.swap(here, chosen);
        p.next += 1;
        let elements = self.element_types(pointee);
        // A pointer to something unknown may point to anything.
        let any = self.element_type(pointee).is_none();
        p.set(slot, Value::Null);
        self.fill_pointers(p, objects, f)?;
        let types = &self.machine.program.types;
        let is_function = types.is_function(pointee);
        for id in p.heap.memory.ids() {
            let object = p.heap.memory.object(id);
            let fits = if is_function {
                object.ty.is_some_and(|ty| types.called_alike(pointee, ty))
            } else {
                elements.contains(&object.ty) || (any && !self.is_constant(p, id))
            };
            if fits {
                p.set(slot, Value::to_start(id));
                self.fill_pointers(p, objects, f)?;
            }
        }
        let may_be_new = !is_function || self.is_function_unknown;
        if p.objects < objects && may_be_new {
            let before = p.clone();
            let marks = mark_sets(self.machine.mark_bits());
            for (element, marks) in elements.iter().flat_map(|e| marks.iter().map(|m| (*e, *m))) {
                let size = element.and_then(|t| self.machine.program.types.size_of(t)).unwrap_or(0);
                let orders: &[bool] =
                    match element.and_then(|t| self.machine.program.types.layout(t)) {
                        Some(layout) if layout.overlaps => &[true, false],
                        _ => &[true],
                    };
                let lengths = self.lengths(element, objects);
                for (length, order) in lengths.flat_map(|n| orders.iter().map(move |o| (n, *o))) {
                    let types = &self.machine.program.types;
                    let memory = &mut p.heap.memory;
                    let open = |_| Value::Open;
                    let lifetime = if is_function { Lifetime::Global } else { Lifetime::Heap };
                    let id = memory.allocate(types, element, length * size, lifetime, open);
                    let object = &mut memory.objects[id.0 as usize];
                    object.initial = true;
                    object.marks = marks;
                    p.objects += 1;
                    p.set(slot, Value::to_start(id));
                    self.add_cells(p, id, true, order);
                    self.fill_pointers(p, objects, f)?;
                    let filled = p.filled;
                    p.clone_from(&before);
                    p.filled = filled;
                }
            }
        }
        p.set(slot, Value::Open);
        p.next -= 1;
        p.pointers.swap(here, chosen);
        Flow::Continue(())
    }

    fn fill_ints(
        &self,
        p: &mut Partial,
        until: usize,
        f: &mut dyn FnMut(&mut Partial) -> Flow,
    ) -> Flow {
        if p.next >= until {
            return f(p);
        }
        let Some(&(slot, scalar)) = p.ints.get(p.next) else {
            return f(p);
        };
        p.next += 1;
        for i in self.machine.domain_of(scalar) {
            p.set(slot, Value::Int(i));
            self.poll(p)?;
            // What reads no integers has been looked at when the last pointer was filled.
            if self.still_possible(p, |c| c.reads_integers) {
                self.fill_ints(p, until, f)?;
            }
        }
        p.set(slot, Value::Open);
        p.next -= 1;
        Flow::Continue(())
    }

    fn has_element_type(&self, scalar: Scalar) -> bool {
        matches!(scalar, Scalar::Ptr(pointee) if self.element_type(pointee).is_some())
    }

    /// Whether an object is that of a constant, such as a string literal.
    fn is_constant(&self, p: &Partial, id: ObjId) -> bool {
        let globals = self.machine.program.globals.iter().zip(&p.heap.globals);
        globals.filter(|(g, _)| g.is_const).any(|(_, v)| *v == Value::to_start(id))
    }

    /// The element types that a new object behind a pointer can have. What the program converts a
    /// pointer to tells what one without a type may point to; without conversions nobody can look,
    /// but what the object owns is lost when it is freed.
    fn element_types(&self, pointee: TypeId) -> Vec<Option<TypeId>> {
        match self.element_type(pointee) {
            None if !self.conversions.is_empty() => {
                let known = self.conversions.iter().map(|t| Some(*t));
                // Where casts are checked, there may be something else as well.
                let other = self.machine.program.is_collected().then_some(None);
                known.chain(other).collect()
            }
            None => std::iter::once(None).chain(self.owners.iter().map(|t| Some(*t))).collect(),
            element => vec![element],
        }
    }

    /// How many elements a new object can have. An array of Java counts as one object, and has at
    /// most as many elements as there are objects, or as is said.
    fn lengths(&self, element: Option<TypeId>, objects: usize) -> std::ops::RangeInclusive<u32> {
        let program = self.machine.program;
        let is_array = element.is_some_and(|t| program.types.scalar(t).is_some());
        match program.is_collected() && is_array {
            true => 0..=objects.max(self.longest) as u32,
            false => 1..=1,
        }
    }

    /// The element type of a new object behind a pointer; `None` if nobody can look into it.
    fn element_type(&self, pointee: TypeId) -> Option<TypeId> {
        let types = &self.machine.program.types;
        types.layout(pointee).filter(|l| l.size > 0).map(|_| pointee)
    }

    /// Breaks when it is time to stop.
    fn poll(&self, p: &mut Partial) -> Flow {
        p.filled = p.filled.wrapping_add(1);
        match self.stop {
            Some(stop) if p.filled.is_multiple_of(256) && stop() => Flow::Break(()),
            _ => Flow::Continue(()),
        }
    }

    /// Whether none of some conjuncts of `requires` is false for good.
    fn still_possible(&self, p: &Partial, looked_at: impl Fn(&Conjunct) -> bool) -> bool {
        if self.conjuncts.is_empty() {
            return true;
        }
        let locals = self.locals(&p.heap);
        let env = self.env(&p.heap, &locals);
        let mut conjuncts = self.conjuncts.iter().filter(|c| c.stays_false && looked_at(c));
        conjuncts.all(|c| env.truth(&c.formula) != Truth::False)
    }

    /// There is no frame yet; contracts read the arguments.
    fn locals(&self, heap: &InitialHeap) -> Vec<Value> {
        let proc = self.machine.program.proc(self.proc);
        let mut locals = vec![Value::Undef; proc.vars.len()];
        for (i, &arg) in heap.args.iter().enumerate() {
            // The slot of a parameter in memory is its address, and it has none before the call;
            // only a struct stands for the object that it is copied from.
            let var = &proc.vars[i];
            let scalar = self.machine.program.types.scalar(var.ty).is_some();
            if var.storage == Storage::Register || !scalar {
                locals[i] = arg;
            }
        }
        locals
    }

    fn env<'s>(&'s self, heap: &'s InitialHeap, locals: &'s [Value]) -> SpecEnv<'s> {
        SpecEnv {
            program: self.machine.program,
            proc: self.proc,
            memory: &heap.memory,
            globals: &heap.globals,
            locals,
            entry: &heap.args,
            pre: None,
            result: None,
        }
    }
}

impl Partial {
    fn get(&self, slot: Slot) -> Value {
        match slot {
            Slot::Arg(i) => self.heap.args[i as usize],
            Slot::Global(i) => self.heap.globals[i as usize],
            Slot::Cell(i) => self.heap.memory.cells[i as usize],
        }
    }

    fn set(&mut self, slot: Slot, value: Value) {
        match slot {
            Slot::Arg(i) => self.heap.args[i as usize] = value,
            Slot::Global(i) => self.heap.globals[i as usize] = value,
            Slot::Cell(i) => self.heap.memory.cells[i as usize] = value,
        }
    }
}

/// Cells that share no bytes and leave none out, those of pointers before those of numbers or the
/// other way round, wide ones first.
fn chosen_cells(
    types: &TypeTable,
    contents: &[(u32, Scalar, Value)],
    pointers_first: bool,
) -> BTreeSet<usize> {
    let mut order: Vec<usize> = (0..contents.len()).collect();
    order.sort_by_key(|i| {
        let scalar = contents[*i].1;
        (scalar.is_ptr() != pointers_first, std::cmp::Reverse(types.bytes(scalar)), *i)
    });
    let mut chosen = BTreeSet::new();
    let range = |i: usize| (contents[i].0, contents[i].0 + types.bytes(contents[i].1));
    for i in order {
        let (from, to) = range(i);
        let is_bits = |j: usize| matches!(contents[j].1, Scalar::Bits(_));
        let meets = |j: &usize| {
            let (a, b) = range(*j);
            a < to && from < b && !(is_bits(i) && is_bits(*j))
        };
        if !chosen.iter().any(meets) {
            chosen.insert(i);
        }
    }
    chosen
}

/// SplitMix64: a small generator whose output depends on the seed only.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next number.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The types that `void *` is converted to, and those whose objects formulas speak of, all of them.
fn conversions(program: &Program, proc: ProcId) -> BTreeSet<TypeId> {
    let procs = cfg::reachable_procs(program, proc);
    let instrs = procs.iter().flat_map(|p| program.proc(*p).instrs());
    let types = instrs.filter_map(|i| match i.kind {
        InstrKind::Retype { ty, .. } => Some(ty),
        _ => None,
    });
    let formulas = procs.iter().flat_map(|p| program.proc(*p).formulas());
    let mut types: BTreeSet<TypeId> = types.collect();
    let mut entered = BTreeSet::new();
    formulas.for_each(|f| types.extend(quantified_types(program, f, &mut entered)));
    types.retain(|t| program.types.layout(*t).is_some_and(|l| l.size > 0));
    types
}

/// Whether a procedure, or one that it calls, calls something through a pointer; then the program
/// has all functions that such a pointer leads to.
fn calls_pointers(program: &Program, proc: ProcId) -> bool {
    let procs = cfg::reachable_procs(program, proc);
    let mut instrs = procs.iter().flat_map(|p| program.proc(*p).instrs());
    instrs.any(|i| matches!(i.kind, InstrKind::Assert { kind: CheckKind::BadCall, .. }))
}

/// The structs with pointers that a procedure and those it calls have pointers to, if they free
/// something.
fn owners(program: &Program, proc: ProcId) -> BTreeSet<TypeId> {
    let procs = cfg::reachable_procs(program, proc);
    let mut instrs = procs.iter().flat_map(|p| program.proc(*p).instrs());
    if !instrs.any(|i| matches!(i.kind, InstrKind::Free { .. })) {
        return BTreeSet::new();
    }
    let has_pointers = |ty: &TypeId| {
        let cells = program.types.layout(*ty).map_or(&[][..], |l| &l.cells);
        program.types.as_record(*ty).is_some()
            && cells.iter().any(|c| matches!(c.scalar, Scalar::Ptr(_)))
    };
    let vars = procs.iter().flat_map(|p| program.proc(*p).vars.iter().map(|v| v.ty));
    let vars = vars.chain(program.globals.iter().map(|g| g.ty));
    vars.filter_map(|ty| program.types.pointee(ty)).filter(has_pointers).collect()
}

/// The types of objects that the quantifiers of a formula are about.
fn quantified_types(
    program: &Program,
    formula: &Formula,
    entered: &mut BTreeSet<PredId>,
) -> Vec<TypeId> {
    let mut types = Vec::new();
    let mut on_formula = |f: &Formula| match f {
        Formula::Forall(binders, _) | Formula::Exists(binders, _) => {
            types.extend(binders.iter().filter_map(|b| match b.sort {
                Sort::Ptr(pointee) => Some(pointee),
                Sort::Int | Sort::Set(_) => None,
            }));
        }
        Formula::Pred(p, _) if entered.insert(*p) => {
            let body = program.predicates[p.0 as usize].body.as_ref();
            types.extend(body.map(|f| quantified_types(program, f, entered)).unwrap_or_default());
        }
        _ => {}
    };
    formula.visit(&mut on_formula, &mut |_| {});
    types
}

/// Whether the truth of a formula can depend on integers: of cells, variables or the formula itself.
fn reads_integers(program: &Program, proc: ProcId, formula: &Formula) -> bool {
    let is_int = |scalar: Option<Scalar>| !matches!(scalar, Some(Scalar::Ptr(_)));
    let (mut by_formulas, mut by_terms) = (false, false);
    formula.visit(
        &mut |f| {
            by_formulas |= match f {
                Formula::Forall(binders, _) | Formula::Exists(binders, _) => {
                    binders.iter().any(|b| b.sort == Sort::Int)
                }
                Formula::Derived(d) => matches!(**d, Derived::Sorted(..)),
                Formula::Pred(p, _) => program.predicates[p.0 as usize].body.is_some(),
                Formula::Hol(..) => true,
                _ => false,
            };
        },
        &mut |t| {
            by_terms |= match t {
                Term::Load { scalar, .. } => is_int(Some(*scalar)),
                Term::Reg(r) => is_int(program.types.scalar(program.reg_type(proc, *r))),
                _ => false,
            };
        },
    );
    by_formulas || by_terms
}

/// Whether `formula`, once it is `value` on a partial heap, keeps that value when more objects come
/// into being. Quantifiers range over more objects then; everything else only becomes defined.
/// A recursive predicate keeps its value if one step of its definition does: `entered` are those in
/// hand.
fn stays(
    program: &Program,
    formula: &Formula,
    value: bool,
    entered: &mut Vec<(PredId, bool)>,
) -> bool {
    if let Formula::Pred(p, _) = formula {
        let body = program.predicates[p.0 as usize].body.as_ref();
        return body.is_none_or(|body| {
            let in_hand = entered.contains(&(*p, value));
            entered.push((*p, value));
            let all = in_hand || stays(program, body, value, entered);
            entered.pop();
            all
        });
    }
    let mut part = |f: &Formula, value: bool| stays(program, f, value, entered);
    match formula {
        Formula::Not(a) => part(a, !value),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|p| part(p, value)),
        Formula::Implies(a, b) => part(a, !value) && part(b, value),
        Formula::Iff(a, b) => [true, false].into_iter().all(|v| part(a, v) && part(b, v)),
        Formula::Forall(_, body) => !value && part(body, value),
        Formula::Exists(_, body) => value && part(body, value),
        // A new object may point into the segment.
        Formula::Derived(d) if matches!(**d, Derived::ListSegment(..)) => !value,
        Formula::At(_, f) => part(f, value),
        // On a partial heap it is true or false only if it stays so.
        Formula::Hol(..) => true,
        atom => {
            let mut plain = true;
            atom.visit(&mut |_| {}, &mut |t| plain &= !matches!(t, Term::Ite(..)));
            plain
        }
    }
}
