//! Transition systems, and how they are built.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{Arena, Budget, FormulaId, FunId, RelId, Vocabulary};
use trellis_program::cfg;
use trellis_program::spec::Formula;
use trellis_program::view::{self, Cell, ProgramVocabulary};
use trellis_program::{
    BlockId, Body, CheckKind, CheckSet, Cond, InstrKind, ProcId, Program, Refusal, Reg, Scalar,
    Span, Storage, VarId,
};

use trellis_solver::Solver;

use crate::assigns;
use crate::contract::at_entry;
use crate::data::Classes;
use crate::execute::Builder;
use crate::expr::address_in;
use crate::paths::Path;
use crate::shape::{self, Shape};
use crate::state::{Run, Used, Witnesses};
use crate::symbols::{Heaps, RegSymbol, Symbols};

/// What to build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The checks that are on.
    pub checks: CheckSet,
    /// Whether `malloc` may return null.
    pub malloc_may_fail: bool,
    /// What formulas can speak of.
    pub words: Words,
    /// Over how many fields in turn an object may be reached so as not to be leaked, at least: more
    /// make fewer false alarms, but a harder question.
    pub leak_turns: usize,
}

/// What formulas can speak of; richer words can say more, and cost more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Words {
    /// A pointer field is its closure, as in the papers.
    #[default]
    Basic,
    /// The single steps of a field stand beside its closure.
    Edges,
}

/// A cut point; 0 is the entry of the procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocationId(pub usize);

impl LocationId {
    /// The entry.
    pub const ENTRY: LocationId = LocationId(0);
}

/// A cut point: the entry or a loop head.
#[derive(Clone, Debug)]
pub struct Location {
    /// The block that begins there.
    pub block: BlockId,
    /// The loop's condition; for the entry, the procedure's name.
    pub span: Span,
    /// The constants of the state that matter there, and those that never change.
    pub constants: Vec<FunId>,
    /// The propositions of the state that matter there, and those that never change.
    pub propositions: Vec<RelId>,
    /// The relations and functions of objects that matter, entry copies included.
    pub relations: Vec<RelId>,
    /// The functions into the data that matter.
    pub functions: Vec<FunId>,
}

/// What goes wrong at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadState {
    /// What.
    pub kind: ErrorKind,
    /// Where.
    pub span: Span,
}

/// The kinds of bad states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// A check fails.
    Check(CheckKind),
    /// A store closes a cycle, which this logic cannot follow.
    Cycle,
}

/// A procedure in the logic.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The procedure.
    pub proc: ProcId,
    /// All symbols.
    pub vocabulary: Vocabulary,
    /// All formulas.
    pub arena: Arena,
    /// What the symbols stand for.
    pub symbols: Symbols,
    /// What holds of every state.
    pub axioms: Vec<FormulaId>,
    /// What holds at the entry.
    pub initial: Vec<FormulaId>,
    /// The cut points, the entry first.
    pub locations: Vec<Location>,
    /// All paths, those into errors included.
    pub paths: Vec<Path>,
    /// The witnesses of all paths.
    pub witnesses: Witnesses,
    /// Where values are less known than in the program: a bad state found there may not be one.
    pub imprecise: Vec<Span>,
}

/// What the code changes and mentions.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) alloc: bool,
    pub(crate) free: bool,
    written: BTreeSet<Cell>,
    mentioned: BTreeSet<Cell>,
    assigned: BTreeSet<Reg>,
    everything: bool,
}

impl Changes {
    pub(crate) fn mentions(&self, cell: Cell) -> bool {
        cell.kind == view::CellKind::Ptr || self.everything || self.mentioned.contains(&cell)
    }

    pub(crate) fn writes(&self, cell: Cell) -> bool {
        let killed = self.free && cell.kind == view::CellKind::Ptr;
        killed || self.stores(cell)
    }

    pub(crate) fn stores(&self, cell: Cell) -> bool {
        self.everything || self.written.contains(&cell)
    }

    pub(crate) fn assigns(&self, reg: Reg) -> bool {
        self.assigned.contains(&reg)
    }

    /// Whether a variable is assigned that others can start from when the procedure has returned.
    fn assigns_global(&self) -> bool {
        self.assigned.iter().any(|reg| matches!(reg, Reg::Global(_)))
    }

    fn new(program: &Program, view: &ProgramVocabulary, body: &Body) -> Changes {
        let mut changes = Changes::default();
        let proc = program.proc(view.proc);
        let object_params = proc.vars[..proc.params].iter().any(|v| v.storage == Storage::Object);
        changes.alloc |= object_params;
        changes.free |= object_params;
        for instr in body.instrs() {
            changes.instr(view, &instr.kind);
        }
        changes
    }

    fn instr(&mut self, view: &ProgramVocabulary, kind: &InstrKind) {
        self.assigned.extend(kind.dst());
        match kind {
            InstrKind::Load { addr, scalar, .. } => {
                self.mentioned.extend(address_in(view, addr, *scalar));
            }
            InstrKind::Store { addr, scalar, .. } => {
                let cell = address_in(view, addr, *scalar);
                self.mentioned.extend(cell);
                self.written.extend(cell);
            }
            InstrKind::Copy { .. } | InstrKind::Fill { .. } => self.everything = true,
            InstrKind::Alloc { zeroed, .. } => {
                self.alloc = true;
                self.everything |= zeroed;
            }
            InstrKind::Free { .. } => self.free = true,
            InstrKind::BeginLocal { .. } | InstrKind::EndLocal { .. } => {
                self.alloc = true;
                self.free = true;
            }
            InstrKind::Assign { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Call { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Assume { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Unsupported { .. } => {}
        }
    }

    /// The integer fields that a contract formula reads.
    fn clause(&mut self, view: &ProgramVocabulary, arena: &Arena, clause: FormulaId) {
        for fun in arena.symbols_in_use(clause).funs {
            if let Some((cell, _)) = view.field_of(fun) {
                self.mentioned.insert(cell);
            }
        }
    }
}

/// A procedure without calls as a transition system, whatever that costs. The solver is asked
/// whether the precondition excludes cycles, and over which fields it lets the heap be reached.
///
/// # Errors
/// The first construct that cannot be followed.
pub fn build(
    program: &Program,
    proc: ProcId,
    options: &Options,
    solver: &dyn Fn() -> Box<dyn Solver>,
) -> Result<TransitionSystem, Refusal> {
    follow_all(program, proc, options, &Budget::default(), solver)
}

/// As [`build`], until the budget is used up: then the error says anything.
pub(crate) fn follow_all(
    program: &Program,
    proc: ProcId,
    options: &Options,
    budget: &Budget,
    solver: &dyn Fn() -> Box<dyn Solver>,
) -> Result<TransitionSystem, Refusal> {
    let span = program.proc(proc).span;
    let Some(body) = program.body(proc) else {
        return Err(Refusal::at(span, "a procedure without a body"));
    };
    let shape = shape::of_entry(program, proc, body, options, solver)?;
    let mut undefined_at_cuts = BTreeSet::new();
    // Whether undefined values reach a cut point is seen once all paths are followed.
    loop {
        let mut builder = prepare(program, proc, body, options, Heaps::Acyclic)?;
        builder.shape = shape.clone();
        builder.budget = budget.clone();
        builder.undefined_at_cuts.clone_from(&undefined_at_cuts);
        let heads: Vec<BlockId> = cfg::loop_heads(body).into_iter().collect();
        let live = cfg::live_in(body, program.proc(proc).vars.len());
        builder.locations.push(builder.entry(body));
        for &head in &heads {
            let location = builder.loop_head(head, body, &live[head.0 as usize]);
            builder.locations.push(location);
        }
        let initial = builder.enter(body, &heads)?;
        for (i, &head) in heads.iter().enumerate() {
            builder.from = LocationId(i + 1);
            builder.live_pointers = builder.pointers_at(builder.from);
            let run = builder.run_at(builder.from);
            builder.follow(body, &heads, head, run)?;
        }
        if builder.undefined_at_cuts == undefined_at_cuts {
            return Ok(builder.finish_system(proc, initial));
        }
        undefined_at_cuts.clone_from(&builder.undefined_at_cuts);
    }
}

pub(crate) fn prepare<'a>(
    program: &'a Program,
    proc: ProcId,
    body: &Body,
    options: &'a Options,
    heaps: Heaps,
) -> Result<Builder<'a>, Refusal> {
    let view = view::vocabulary(program, proc);
    let mut view_arena = Arena::new();
    let mut changes = match heaps {
        Heaps::Acyclic => Changes::new(program, &view, body),
        Heaps::Any => Changes::default(),
    };
    let mut clauses = Vec::new();
    let requires = &program.proc(proc).contract.requires;
    let requires = requires.iter().map(|c| (Cow::Owned(at_entry(&c.formula)), c.span));
    let others = formulas(program, proc, options).into_iter().map(|(f, at)| (Cow::Borrowed(f), at));
    let places = assigns::formulas(program, proc, options)?;
    let places = places.into_iter().map(|(f, at)| (Cow::Owned(f), at));
    for (formula, at) in requires.chain(others).chain(places) {
        let clause = view::formula(&view, &mut view_arena, &formula)
            .map_err(|e| Refusal::at(at, e.reason))?;
        changes.clause(&view, &view_arena, clause);
        clauses.push(clause);
    }
    let mut classes = Classes::new(program, &view, &view_arena, &clauses);
    if assigns::checked(program, proc, options).is_some() {
        classes.compare_changes(program, &view, &changes);
    }
    let mut logic = Vocabulary::new();
    let symbols =
        Symbols::declare(program, &view, &classes, &changes, heaps, options.words, &mut logic);
    let unlinks = symbols.pointers.iter().any(|f| f.changes) || changes.assigns_global();
    Ok(Builder {
        program,
        options,
        budget: Budget::default(),
        view_arena,
        logic,
        arena: Arena::new(),
        symbols,
        witnesses: Witnesses::default(),
        from: LocationId::ENTRY,
        live_pointers: Vec::new(),
        locations: Vec::new(),
        paths: Vec::new(),
        clauses: BTreeMap::new(),
        imprecise: BTreeSet::new(),
        may_free: changes.free,
        may_allocate: changes.alloc,
        may_unlink: unlinks,
        undefined_at_cuts: BTreeSet::new(),
        shape: Shape::default(),
    })
}

/// The contract formulas that are checked or assumed on the way, with their places.
fn formulas<'a>(program: &'a Program, proc: ProcId, options: &Options) -> Vec<(&'a Formula, Span)> {
    let proc = program.proc(proc);
    let mut out: Vec<(&Formula, Span)> = Vec::new();
    if options.checks.contains(CheckKind::Postcondition) {
        out.extend(proc.contract.ensures.iter().map(|c| (&c.formula, c.span)));
    }
    for instr in proc.instrs() {
        match &instr.kind {
            InstrKind::Assume { cond: Cond::Spec(f) } => out.push((f, instr.span)),
            InstrKind::Assert { kind, cond: Cond::Spec(f) } if options.checks.contains(*kind) => {
                out.push((f, instr.span));
            }
            _ => {}
        }
    }
    out
}

impl Builder<'_> {
    /// At the entry every symbol is its entry copy.
    fn entry(&self, body: &Body) -> Location {
        let proc = self.program.proc(self.symbols.view.proc);
        let mut location = Location::new(body.entry, proc.span);
        for (reg, twin) in &self.symbols.regs {
            if self.is_given(*reg) {
                location.add(twin.entry);
            }
        }
        for (reg, (fun, _)) in &self.symbols.addresses {
            if matches!(reg, Reg::Global(_)) {
                location.constants.push(*fun);
            }
        }
        location.constants.extend(self.symbols.held.iter().map(|h| h.fun));
        location.add_heap(&self.symbols, true, &self.undefined_at_cuts);
        location
    }

    /// What of the state matters at a loop head.
    fn loop_head(&self, block: BlockId, body: &Body, live: &[bool]) -> Location {
        let mut location = Location::new(block, body.block(block).term_span);
        for (reg, twin) in &self.symbols.regs {
            let alive = match reg {
                Reg::Local(v) => live.get(v.0 as usize).copied().unwrap_or(false),
                Reg::Global(_) => true,
            };
            if alive {
                location.add(twin.now);
            }
            if self.is_given(*reg) {
                location.add(twin.entry);
            }
            if alive
                && let Some(unset) = self.symbols.unset.get(reg)
                && self.undefined_at_cuts.contains(unset)
            {
                location.propositions.push(*unset);
            }
        }
        location.constants.extend(self.symbols.addresses.values().map(|(fun, _)| *fun));
        location.constants.extend(self.symbols.held.iter().map(|h| h.fun));
        location.add_heap(&self.symbols, false, &self.undefined_at_cuts);
        location
    }

    /// Whether a variable has a value at the entry.
    pub(crate) fn is_given(&self, reg: Reg) -> bool {
        let params = self.program.proc(self.symbols.view.proc).params;
        match reg {
            Reg::Local(v) => (v.0 as usize) < params,
            Reg::Global(_) => true,
        }
    }

    pub(crate) fn pointers_at(&self, at: LocationId) -> Vec<FunId> {
        let constants = &self.locations[at.0].constants;
        let obj = self.symbols.obj;
        constants.iter().copied().filter(|f| self.logic.fun(*f).result == obj).collect()
    }

    /// The beginning of paths from a loop head: everything is as it is.
    fn run_at(&mut self, at: LocationId) -> Run {
        let mut run = Run {
            now: trellis_logic::Definitions::new(),
            guards: Vec::new(),
            blocks: Vec::new(),
            used: Used::default(),
            known: BTreeMap::new(),
            stores: BTreeMap::new(),
            locals: BTreeMap::new(),
            named: Vec::new(),
            typed: BTreeMap::new(),
            untyped: BTreeMap::new(),
            constants: BTreeMap::new(),
            moved: BTreeMap::new(),
        };
        let var = self.arena.variable("$a", self.symbols.obj);
        for undefined in self.symbols.undefined() {
            if at == LocationId::ENTRY || !self.undefined_at_cuts.contains(&undefined) {
                run.now.define_rel(undefined, &[var], FormulaId::FALSE);
            }
        }
        let live = &self.locations[at.0].propositions;
        for &unset in self.symbols.unset.values() {
            if at == LocationId::ENTRY {
                run.now.define_rel(unset, &[], FormulaId::TRUE);
            } else if !live.contains(&unset) {
                run.now.define_rel(unset, &[], FormulaId::FALSE);
            }
        }
        if at != LocationId::ENTRY {
            for (reg, (fun, _)) in self.symbols.addresses.clone() {
                if matches!(reg, Reg::Local(_)) {
                    let constant = self.arena.constant(fun);
                    run.locals.insert(reg, constant);
                }
            }
        }
        run
    }

    /// The paths from the entry; gives what holds there.
    fn enter(&mut self, body: &Body, heads: &[BlockId]) -> Result<Vec<FormulaId>, Refusal> {
        self.from = LocationId::ENTRY;
        self.live_pointers = self.pointers_at(LocationId::ENTRY);
        let mut run = self.run_at(LocationId::ENTRY);
        self.start_from_entry(&mut run);
        let initial = self.initial()?;
        let proc = self.program.proc(self.symbols.view.proc);
        for v in 0..proc.params as u32 {
            let var = proc.var(VarId(v));
            if var.storage == Storage::Object {
                self.bind_object(&mut run, VarId(v), var.span)?;
            }
        }
        // The first block may be a loop head: then the path is empty.
        match heads.iter().position(|h| *h == body.entry) {
            Some(head) => self.arrive(run, LocationId(head + 1))?,
            None => self.follow(body, heads, body.entry, run)?,
        }
        Ok(initial)
    }

    /// A parameter in memory: a new object that holds the argument.
    fn bind_object(&mut self, run: &mut Run, var: VarId, span: Span) -> Result<(), Refusal> {
        let refuse = |stop| match stop {
            crate::execute::Stop::Refused(why) => why,
            crate::execute::Stop::End => Refusal::at(span, "a parameter in memory"),
        };
        let reg = Reg::Local(var);
        self.begin_local(run, reg, span).map_err(refuse)?;
        let ty = self.program.proc(self.symbols.view.proc).var(var).ty;
        let (Some(scalar), Some(&object)) = (self.program.types.scalar(ty), run.locals.get(&reg))
        else {
            return Err(Refusal::at(span, "a struct passed by value"));
        };
        let Some(spot) = self.symbols.view.object_spot(ty) else {
            return Err(Refusal::at(span, "a parameter in memory of unknown type"));
        };
        let Some(twin) = self.symbols.regs.get(&reg).copied() else {
            return Err(Refusal::at(span, "a parameter in memory"));
        };
        let value = match twin.entry {
            RegSymbol::Ptr(fun) => {
                let Scalar::Ptr(to) = scalar else {
                    return Err(Refusal::at(span, "a parameter in memory"));
                };
                let spot = self.symbols.view.pointee(to);
                let spot = spot.map_err(|e| Refusal::at(span, e.reason))?;
                crate::state::Value::Ptr(self.arena.constant(fun), spot)
            }
            RegSymbol::Int(flag) => crate::state::Value::Int(self.read_flag(run, flag)),
        };
        let at = crate::state::Value::Ptr(object, spot);
        self.store(run, at, scalar, value, span).map_err(refuse)
    }

    /// At the entry, the current state is the entry state.
    fn start_from_entry(&mut self, run: &mut Run) {
        let vars = ["$a", "$b"].map(|n| self.arena.variable(n, self.symbols.obj));
        let terms = vars.map(|v| self.arena.var_term(v));
        let alloc = self.symbols.alloc;
        if alloc.now != alloc.entry {
            let entry = self.arena.rel(alloc.entry, &terms[..1]);
            run.now.define_rel(alloc.now, &vars[..1], entry);
        }
        for field in &self.symbols.pointers {
            if field.closure.now != field.closure.entry {
                let entry = self.arena.rel(field.closure.entry, &terms);
                run.now.define_rel(field.closure.now, &vars, entry);
            }
            if let Some(edge) = field.edge.filter(|e| e.now != e.entry) {
                let entry = self.arena.rel(edge.entry, &terms);
                run.now.define_rel(edge.now, &vars, entry);
            }
        }
        for field in &self.symbols.integers {
            use crate::symbols::Flag;
            match (field.now, field.entry) {
                (Flag::Truth(now), Flag::Truth(entry)) if now != entry => {
                    let entry = self.arena.rel(entry, &terms[..1]);
                    run.now.define_rel(now, &vars[..1], entry);
                }
                (Flag::Data(now), Flag::Data(entry)) if now != entry => {
                    let entry = self.arena.app(entry, &terms[..1]);
                    run.now.define_fun(now, &vars[..1], entry);
                }
                _ => {}
            }
        }
        for twin in self.symbols.regs.values() {
            use crate::symbols::Flag;
            match (twin.now, twin.entry) {
                (RegSymbol::Ptr(now), RegSymbol::Ptr(entry))
                | (RegSymbol::Int(Flag::Data(now)), RegSymbol::Int(Flag::Data(entry)))
                    if now != entry =>
                {
                    let entry = self.arena.constant(entry);
                    run.now.define_fun(now, &[], entry);
                }
                (RegSymbol::Int(Flag::Truth(now)), RegSymbol::Int(Flag::Truth(entry)))
                    if now != entry =>
                {
                    let entry = self.arena.rel(entry, &[]);
                    run.now.define_rel(now, &[], entry);
                }
                _ => {}
            }
        }
    }

    /// Remembers what may be undefined where a path ends.
    pub(crate) fn note_undefined(&mut self, run: &Run, to: LocationId) {
        let var = self.arena.variable("$a", self.symbols.obj);
        let any = self.arena.var_term(var);
        for undefined in self.symbols.undefined() {
            let atom = self.arena.rel(undefined, &[any]);
            if self.arena.expand(atom, &run.now) != FormulaId::FALSE {
                self.undefined_at_cuts.insert(undefined);
            }
        }
        for (reg, unset) in self.symbols.unset.clone() {
            let lives = self.locations[to.0].has(self.symbols.regs[&reg].now);
            let atom = self.arena.rel(unset, &[]);
            if lives && self.arena.expand(atom, &run.now) != FormulaId::FALSE {
                self.undefined_at_cuts.insert(unset);
            }
        }
    }

    fn finish_system(mut self, proc: ProcId, initial: Vec<FormulaId>) -> TransitionSystem {
        let axioms = self.axioms();
        TransitionSystem {
            proc,
            vocabulary: self.logic,
            arena: self.arena,
            symbols: self.symbols,
            axioms,
            initial,
            locations: self.locations,
            paths: self.paths,
            witnesses: self.witnesses,
            imprecise: self.imprecise.into_iter().collect(),
        }
    }
}

impl Location {
    fn new(block: BlockId, span: Span) -> Location {
        Location {
            block,
            span,
            constants: Vec::new(),
            propositions: Vec::new(),
            relations: Vec::new(),
            functions: Vec::new(),
        }
    }

    /// Whether a variable matters there.
    pub fn has(&self, symbol: RegSymbol) -> bool {
        use crate::symbols::Flag;
        match symbol {
            RegSymbol::Ptr(fun) | RegSymbol::Int(Flag::Data(fun)) => self.constants.contains(&fun),
            RegSymbol::Int(Flag::Truth(rel)) => self.propositions.contains(&rel),
        }
    }

    fn add(&mut self, symbol: RegSymbol) {
        use crate::symbols::Flag;
        match symbol {
            RegSymbol::Ptr(fun) | RegSymbol::Int(Flag::Data(fun)) => {
                if !self.constants.contains(&fun) {
                    self.constants.push(fun);
                }
            }
            RegSymbol::Int(Flag::Truth(rel)) => {
                if !self.propositions.contains(&rel) {
                    self.propositions.push(rel);
                }
            }
        }
    }

    fn add_heap(&mut self, symbols: &Symbols, entry: bool, undefined: &BTreeSet<RelId>) {
        use crate::symbols::Flag;
        let mut relation = |now: RelId, then: RelId| {
            if !entry {
                self.relations.push(now);
            }
            if entry || now != then {
                self.relations.push(then);
            }
        };
        relation(symbols.alloc.now, symbols.alloc.entry);
        for field in &symbols.pointers {
            relation(field.closure.now, field.closure.entry);
            if let Some(edge) = field.edge {
                relation(edge.now, edge.entry);
            }
        }
        for field in &symbols.integers {
            if let (Flag::Truth(now), Flag::Truth(then)) = (field.now, field.entry) {
                relation(now, then);
            }
        }
        for field in &symbols.integers {
            if let (Flag::Data(now), Flag::Data(then)) = (field.now, field.entry) {
                if !entry {
                    self.functions.push(now);
                }
                if entry || now != then {
                    self.functions.push(then);
                }
            }
        }
        if !entry {
            let cells = symbols.undefined().into_iter();
            self.relations.extend(cells.filter(|u| undefined.contains(u)));
        }
        self.relations.extend(symbols.marks.values());
        self.relations.extend(symbols.types.values());
    }
}
