//! The verification conditions of a procedure: what must be shown between its cut points, and what
//! invariants can be made of.
//!
//! Cut points are the entry and the loop heads. What the precondition and types say of the state at
//! entry holds everywhere, about the symbols of the entry; of a part of the state that no code
//! before a cut point writes, these are the symbols of now. An invariant is a conjunction of
//! [`Candidate`]s: what types say, clauses of the precondition that still hold (*Symbolic Shape
//! Analysis*, section 6), invariants that the user states, and disjunctions of tracked predicates,
//! for all objects.

use std::collections::BTreeSet;

use trellis_hol::{Kind, Op, Quantifier, SymbolId, Term, Type};
use trellis_program::cfg;
use trellis_program::{
    BlockId, Body, CheckKind, CheckSet, Cond, InstrKind, ProcId, Program, Refusal, Reg, Span,
};

use crate::build::{bind, element, implies, not, or, replace_symbols, var};
use crate::convert::Converter;
use crate::execute::{Executor, Runs, State};
use crate::reduce::Reducer;
use crate::sequent::{Sequent, split};
use crate::signature::{Item, Signature, View, written};

/// What a part of an invariant is, so that it can be written down and found again.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum What {
    /// What types say of a part of the state, by the name of its symbol.
    Typing(String),
    /// A clause of the precondition, by its number.
    Requires(usize),
    /// An invariant that the user states, by its number at its loop.
    Stated(usize),
    /// A guess, by its text.
    Inferred(String),
    /// One of these tracked predicates holds, or does not, of every object.
    Clause(Vec<(usize, bool)>),
}

/// A part of an invariant.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is.
    pub what: What,
    /// The formula, over now.
    pub term: Term,
}

/// A check at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// What is checked.
    pub kind: CheckKind,
    /// Where.
    pub span: Span,
}

/// A cut point.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The block that begins there.
    pub block: BlockId,
    /// Where it is in the source.
    pub span: Span,
    /// What is known there besides invariants.
    facts: Vec<Term>,
    /// From symbols of the entry to those of now, for what no code before writes.
    same: State,
    /// The runs from there.
    pub runs: Runs,
}

impl Cut {
    /// Makes the runs begin where some symbols of the entry are those of now.
    fn start_with(&mut self, same: State) {
        for o in &mut self.runs.demands {
            o.goal = replace_symbols(&o.goal, &same);
            o.hypotheses = o.hypotheses.iter().map(|h| replace_symbols(h, &same)).collect();
        }
        for a in &mut self.runs.arrivals {
            a.hypotheses = a.hypotheses.iter().map(|h| replace_symbols(h, &same)).collect();
            a.state = a.state.iter().map(|(s, t)| (*s, replace_symbols(t, &same))).collect();
            a.state.extend(same.clone());
        }
        self.same = same;
    }
}

/// A predicate that the user tracks.
#[derive(Clone, Debug)]
pub struct TrackedPredicate {
    /// As the user calls it.
    pub name: String,
    /// A truth value, or a set of objects, over now.
    pub term: Term,
}

/// What a procedure must show.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The symbols.
    pub signature: Signature,
    /// The cut points; the first is the entry.
    pub locations: Vec<Cut>,
    /// The predicates that the user tracks.
    pub tracked: Vec<TrackedPredicate>,
    pub(crate) program: Program,
    pub(crate) proc: ProcId,
    /// The clauses of the precondition, over now.
    requires: Vec<Term>,
}

impl Conditions {
    /// Those of a procedure without calls.
    ///
    /// # Errors
    /// What cannot be followed.
    pub fn new(program: &Program, proc: ProcId, checks: CheckSet) -> Result<Conditions, Refusal> {
        let procedure = program.proc(proc);
        let Some(body) = &procedure.body else {
            return Err(Refusal::at(procedure.span, "a procedure without a body"));
        };
        readable(program, proc, body, checks)?;
        let mut signature = Signature::new(program, proc);
        let heads: Vec<BlockId> = cfg::loop_heads(body).into_iter().collect();
        let mut blocks = vec![body.entry];
        blocks.extend(heads.iter().copied());
        if heads.contains(&body.entry) {
            return Err(Refusal::at(procedure.span, "a procedure that begins with a loop"));
        }
        let mut locations = Vec::new();
        for &block in &blocks {
            let mut executor =
                Executor { program, proc, checks, signature: &mut signature, heads: heads.clone() };
            let runs = executor.runs(body, block, State::new())?;
            let span = body.block(block).term_span;
            locations.push(Cut { block, span, facts: Vec::new(), same: State::new(), runs });
        }
        let mut requires = Vec::new();
        for clause in &procedure.contract.requires {
            let mut reader = Converter::new(program, proc, &mut signature, clause.span);
            requires.push(reader.assumed(&clause.formula)?);
        }
        let tracked = tracked(program, proc, &mut signature);
        let mut conditions =
            Conditions { signature, locations, tracked, program: program.clone(), proc, requires };
        conditions.settle();
        Ok(conditions)
    }

    /// Gives every cut point its facts, when all symbols are there.
    fn settle(&mut self) {
        let (program, proc) = (self.program.clone(), self.proc);
        // Typing may need further symbols, of classes and of who exists.
        for (item, _) in self.signature.items() {
            for view in [View::Now, View::Entry] {
                self.signature.typing(&program, proc, item, view);
            }
        }
        let background = self.signature.background(&program);
        let Some(body) = &program.proc(proc).body else { return };
        for i in 0..self.locations.len() {
            let written = match i {
                0 => BTreeSet::new(),
                _ => written_before(&program, proc, body, self.locations[i].block),
            };
            let (mut same, mut to_entry) = (State::new(), State::new());
            for (item, [now, entry]) in self.signature.items() {
                if now != entry && !written.contains(&item) {
                    same.insert(entry, self.signature.term(now));
                } else if now != entry {
                    to_entry.insert(now, self.signature.term(entry));
                }
            }
            let mut facts = background.clone();
            for (item, _) in self.signature.items() {
                facts.extend(self.signature.typing(&program, proc, item, View::Entry));
            }
            facts.extend(self.requires.iter().map(|r| replace_symbols(r, &to_entry)));
            let facts = facts.iter().map(|f| replace_symbols(f, &same)).collect();
            self.locations[i].facts = facts;
            self.locations[i].start_with(same);
        }
    }

    /// The number of the cut point of a block.
    pub fn location(&self, block: BlockId) -> Option<usize> {
        self.locations.iter().position(|l| l.block == block)
    }

    /// The parts that an invariant of a loop always has as candidates.
    pub fn given(&mut self, location: usize) -> Vec<Candidate> {
        let (program, proc) = (self.program.clone(), self.proc);
        let mut all = Vec::new();
        let Some(body) = &program.proc(proc).body else { return all };
        let block = self.locations[location].block;
        let live = cfg::live_in(body, program.proc(proc).vars.len());
        let live = &live[block.0 as usize];
        for (item, [now, entry]) in self.signature.items() {
            let needed = match item {
                Item::Reg(Reg::Local(v)) => live.get(v.0 as usize).copied().unwrap_or(false),
                _ => true,
            };
            if self.stays(now, location) || !needed {
                continue;
            }
            let name = self.signature.symbols[now.0 as usize].name.clone();
            if let Some(term) = self.signature.typing(&program, proc, item, View::Now) {
                all.push(Candidate { what: What::Typing(name.clone()), term });
            }
            if item == Item::Allocated {
                let x = self.signature.fresh.binder("x", Type::Obj);
                let was = element(var(&x), self.signature.term(entry));
                let is = element(var(&x), self.signature.term(now));
                let term = bind(Quantifier::Forall, vec![x], implies(was, is));
                all.push(Candidate { what: What::Typing(format!("{name} grows")), term });
            }
        }
        for (i, term) in self.requires.clone().into_iter().enumerate() {
            // Where nothing of it was written, it is known.
            if !crate::sequent::symbols(&term).iter().all(|s| self.is_fixed(*s, location)) {
                all.push(Candidate { what: What::Requires(i), term });
            }
        }
        all.extend(self.stated(body, block));
        all
    }

    /// The invariants that the user states at a loop.
    fn stated(&mut self, body: &Body, block: BlockId) -> Vec<Candidate> {
        let mut all = Vec::new();
        for instr in &body.block(block).instrs {
            let InstrKind::Assert { kind: CheckKind::LoopInvariant, cond: Cond::Spec(f) } =
                &instr.kind
            else {
                break;
            };
            let mut reader =
                Converter::new(&self.program, self.proc, &mut self.signature, instr.span);
            if let Ok(term) = reader.claimed(f) {
                all.push(Candidate { what: What::Stated(all.len()), term });
            }
        }
        all
    }

    /// Whether a symbol has, at a cut point, the value that it had at the entry.
    pub(crate) fn stays(&self, s: SymbolId, location: usize) -> bool {
        let same = &self.locations[location].same;
        let items = self.signature.items();
        let item = items.iter().find(|(_, [now, entry])| *now == s || *entry == s);
        item.is_some_and(|(_, [now, entry])| now == entry || same.contains_key(entry))
    }

    /// The same of any symbol; those that are no part of the state never change.
    fn is_fixed(&self, s: SymbolId, location: usize) -> bool {
        let part = |(_, [now, entry]): &(Item, [SymbolId; 2])| *now == s || *entry == s;
        self.stays(s, location) || !self.signature.items().iter().any(part)
    }

    /// The clause of tracked predicates.
    pub fn clause(&mut self, literals: &[(usize, bool)]) -> Option<Candidate> {
        let x = self.signature.fresh.binder("v", Type::Obj);
        let domain = self.signature.domain(&self.program, self.proc);
        let mut parts = Vec::new();
        let mut about_objects = false;
        for (i, positive) in literals {
            let predicate = &self.tracked.get(*i)?.term;
            let mut reducer = Reducer { fresh: &mut self.signature.fresh, domain: domain.clone() };
            let atom = match &predicate.ty {
                Type::Bool => predicate.clone(),
                _ => {
                    about_objects = true;
                    reducer.member(var(&x), predicate)
                }
            };
            parts.push(if *positive { atom } else { not(atom) });
        }
        let body = or(parts);
        let term = match about_objects {
            true => {
                let fresh = &mut self.signature.fresh;
                Reducer { fresh, domain }.quantified(Quantifier::Forall, vec![x], body)
            }
            false => body,
        };
        Some(Candidate { what: What::Clause(literals.to_vec()), term })
    }

    /// The sequents of a goal at a place: from the facts of a cut point, its invariant, and what a
    /// run has found out.
    pub fn sequents(
        &mut self,
        from: usize,
        invariant: &[&Candidate],
        hypotheses: &[Term],
        goal: &Term,
    ) -> Vec<Sequent> {
        let Cut { facts, same, .. } = &self.locations[from];
        let mut known = facts.clone();
        known.extend(invariant.iter().map(|c| replace_symbols(&c.term, same)));
        known.extend(hypotheses.iter().cloned());
        split(&mut self.signature, &known, goal)
    }

    /// A formula over now in the state of an arrival.
    pub fn at_arrival(&mut self, term: &Term, from: usize, arrival: usize) -> Term {
        let state = self.locations[from].runs.arrivals[arrival].state.clone();
        let replaced = replace_symbols(term, &state);
        let domain = self.signature.domain(&self.program, self.proc);
        let domain = domain.map(|d| replace_symbols(&d, &state));
        Reducer { fresh: &mut self.signature.fresh, domain }.reduce(&replaced)
    }

    /// A candidate in words.
    pub fn show(&self, candidate: &Candidate) -> String {
        match &candidate.what {
            What::Clause(literals) => {
                let word = |(i, positive): &(usize, bool)| {
                    let predicate = &self.tracked[*i];
                    let name = &predicate.name;
                    match (predicate.term.ty == Type::Bool, positive) {
                        (true, true) => name.clone(),
                        (true, false) => format!("~{name}"),
                        (false, true) => format!("v : {name}"),
                        (false, false) => format!("v ~: {name}"),
                    }
                };
                let about_objects = |(i, _): &(usize, bool)| self.tracked[*i].term.ty != Type::Bool;
                let words: Vec<String> = literals.iter().map(word).collect();
                let all = if literals.iter().any(about_objects) { "ALL v. " } else { "" };
                format!("{all}{}", words.join(" | "))
            }
            _ => {
                let symbols = self.signature.symbols.clone();
                trellis_hol::Formula { symbols, term: candidate.term.clone() }.to_string()
            }
        }
    }

    /// Whether a candidate is about paths or trees, which not every prover knows much of.
    pub fn is_about_paths(candidate: &Candidate) -> bool {
        let mut found = false;
        let paths = |k: &Kind| matches!(k, Kind::Op(Op::Reaches | Op::Tree | Op::ParentTree, _));
        candidate.term.visit(&mut |part| found |= paths(&part.kind));
        found
    }

    /// What types say, which is no news to the user.
    pub fn is_dull(candidate: &Candidate) -> bool {
        matches!(candidate.what, What::Typing(_))
    }
}

/// The predicates that the user tracks in a procedure: truth values and sets of objects.
fn tracked(program: &Program, proc: ProcId, signature: &mut Signature) -> Vec<TrackedPredicate> {
    let mut all: Vec<TrackedPredicate> = Vec::new();
    for tracked in program.tracked.iter().filter(|t| t.proc == proc) {
        let mut reader = Converter::new(program, proc, signature, tracked.span);
        // A hint that cannot be read is none.
        let Ok(term) = reader.value(&tracked.clause, &tracked.args) else { continue };
        let of_objects = matches!(&term.ty, Type::Set(of) if **of == Type::Obj);
        let name = tracked.clause.formula.to_string();
        if (term.ty == Type::Bool || of_objects) && all.iter().all(|t| t.name != name) {
            all.push(TrackedPredicate { name, term });
        }
    }
    all
}

/// What code writes that can run before a block begins.
fn written_before(program: &Program, proc: ProcId, body: &Body, at: BlockId) -> BTreeSet<Item> {
    let mut before = BTreeSet::new();
    let mut todo: Vec<BlockId> = vec![at];
    while let Some(to) = todo.pop() {
        for b in (0..body.blocks.len()).map(|b| BlockId(b as u32)) {
            if cfg::successors(&body.block(b).term).into_iter().any(|s| s == to) && before.insert(b)
            {
                todo.push(b);
            }
        }
    }
    let instrs = before.iter().flat_map(|b| &body.block(*b).instrs);
    instrs.flat_map(|i| written(program, proc, &i.kind)).collect()
}

/// What the whole procedure must have so that it can be followed.
fn readable(program: &Program, proc: ProcId, body: &Body, checks: CheckSet) -> Result<(), Refusal> {
    let procedure = program.proc(proc);
    if !program.is_collected() {
        return Err(Refusal::at(procedure.span, "memory that is freed by hand"));
    }
    for kind in [CheckKind::Overflow, CheckKind::Acyclic] {
        if checks.contains(kind) {
            return Err(Refusal::at(procedure.span, format!("the check `{}`", kind.name())));
        }
    }
    let live = cfg::live_in(body, procedure.vars.len());
    let unset = (procedure.params..procedure.vars.len()).find(|v| live[body.entry.0 as usize][*v]);
    if let Some(v) = unset {
        return Err(Refusal::at(procedure.vars[v].span, "a variable that may have no value"));
    }
    let object = procedure.vars.iter().find(|v| v.storage == trellis_program::Storage::Object);
    match object {
        Some(v) => Err(Refusal::at(v.span, "a variable in memory")),
        None => Ok(()),
    }
}
