//! Both ends of paths: how they begin at the entry and at loop heads, and what is remembered where
//! they arrive.
//!
//! **Invariant.** At the entry the current state is the entry's; at a loop head it is any state.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::FormulaId;
use trellis_program::{BlockId, Body, ProcId, Refusal, Reg, Scalar, Span, Storage, VarId};

use crate::execute::state::{Run, Used, Value};
use crate::execute::{Builder, Stop};
use crate::symbols::{Flag, RegSymbol};
use crate::system::{LocationId, TransitionSystem};

impl Builder<'_> {
    /// The beginning of paths from a loop head: everything is as it is.
    pub(super) fn run_at(&mut self, at: LocationId) -> Run {
        let mut run = Run {
            now: trellis_logic::Definitions::new(),
            guards: Vec::new(),
            blocks: Vec::new(),
            used: Used::default(),
            known: BTreeMap::new(),
            written: Vec::new(),
            cut: BTreeSet::new(),
            attached: false,
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
    pub(super) fn enter(
        &mut self,
        body: &Body,
        heads: &[BlockId],
    ) -> Result<Vec<FormulaId>, Refusal> {
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
            Stop::Refused(why) => why,
            Stop::End => Refusal::at(span, "a parameter in memory"),
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
                Value::Ptr(self.arena.constant(fun), spot)
            }
            RegSymbol::Int(flag) => Value::Int(self.read_flag(run, flag)),
        };
        let at = Value::Ptr(object, spot);
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
        let pointers = self.symbols.pointers.iter();
        let relations: Vec<_> = pointers.flat_map(|f| [Some(f.relation), f.edge]).collect();
        for twin in relations.into_iter().flatten().filter(|t| t.now != t.entry) {
            let (vars, terms) = self.params(twin.now);
            let entry = self.arena.rel(twin.entry, &terms);
            run.now.define_rel(twin.now, &vars, entry);
        }
        for field in &self.symbols.integers {
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

    pub(super) fn finish_system(
        mut self,
        proc: ProcId,
        initial: Vec<FormulaId>,
    ) -> TransitionSystem {
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
            knows_reached: self.heap_at_entry.turns.is_some(),
        }
    }
}
