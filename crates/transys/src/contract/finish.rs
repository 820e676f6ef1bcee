//! The end of the procedure: its contract, and leaks.
//!
//! **Invariant.** Whatever a return promises and the checks ask for has a path into an error where it
//! does not hold; nothing is assumed there.

use trellis_logic::{FormulaId, Subst, TermId, VarId};
use trellis_program::spec::{Formula, Label, Term};
use trellis_program::view::{Kind, Spot};
use trellis_program::{CheckKind, Expr, Refusal, Reg, Span};

use crate::contract::assigns;
use crate::execute::state::{Run, Value};
use crate::execute::{Builder, Step};
use crate::symbols::RegSymbol;
use crate::system::ErrorKind;
use crate::theory::FieldAt;

/// Whether a clause speaks of `\result`.
fn reads_result(clause: &Formula) -> bool {
    let mut found = false;
    clause.visit(&mut |_| {}, &mut |term| found |= matches!(term, Term::Result));
    found
}

impl Builder<'_> {
    /// `return value`: every promise of the contract, then leaks.
    pub(crate) fn finish(&mut self, run: &mut Run, value: Option<&Expr>, span: Span) -> Step<()> {
        let value = match value {
            Some(e) => Some(self.eval(run, e, span)?),
            None => None,
        };
        if let Some(at) = run.awaits_type() {
            return Err(Refusal::at(at, "memory without a type").into());
        }
        let locals: Vec<Reg> = run.locals.keys().copied().collect();
        locals.into_iter().for_each(|reg| self.end_local(run, reg));
        if let (Some(symbol), Some(value)) = (self.symbols.result, value) {
            let ret = self.program.proc(self.view().proc).ret;
            let kind = self.view().result.map(|r| r.kind);
            self.define(run, symbol, value, (kind, ret), span)?;
        }
        self.attach_all(run)?;
        let proc = self.program.proc(self.view().proc);
        let undefined = value == Some(Value::Undef);
        for clause in &proc.contract.ensures {
            // The machine fails when it comes to the result; here the clause is not told apart by
            // the parts that it reads, so a run of the machine decides.
            if undefined && reads_result(&clause.formula) {
                if self.options.checks.contains(CheckKind::Postcondition) {
                    let kind = ErrorKind::Check(CheckKind::Uninit);
                    self.bad(run, kind, clause.span, FormulaId::TRUE);
                }
                continue;
            }
            self.require(run, CheckKind::Postcondition, &clause.formula, clause.span)?;
        }
        if let Some((items, at)) = assigns::checked(self.program, self.view().proc, self.options) {
            let outside = self.written_outside(run, items)?;
            self.bad(run, ErrorKind::Check(CheckKind::Assigns), at, outside);
        }
        if self.options.checks.contains(CheckKind::Leak) && (self.may_allocate || self.may_unlink) {
            let leak = self.leak(run, value);
            self.bad(run, ErrorKind::Check(CheckKind::Leak), span, leak);
        }
        Ok(())
    }

    /// That some heap object is allocated and nobody who is left can reach it: not over the result,
    /// the arguments as they were passed, or the globals.
    ///
    /// Where the heap of the entry is reached over several fields in turn, there may be more in it
    /// than its own, so only what was reached, or is new, counts. Where no such number of turns is
    /// enough, an object that one could start from or step to at the entry must still be reached.
    /// The memory that the host of a whole program passes is nobody's to free.
    fn leak(&mut self, run: &mut Run, result: Option<Value>) -> FormulaId {
        let var = self.arena.variable("lost", self.symbols.obj);
        let x = self.arena.var_term(var);
        let mut parts = vec![self.holds_of(run, self.symbols.alloc.now, x)];
        for (address, _) in self.global_objects() {
            parts.push(self.arena.ne(x, address));
        }
        let roots = self.roots(run, result);
        let turns = self.options.leak_turns.max(self.heap_at_entry.turns.unwrap_or(1));
        parts.push(self.out_of_reach(run, &roots, x, turns));
        let before = self.arena.rel(self.symbols.alloc.entry, &[x]);
        let new = self.arena.not(before);
        if self.has_host_memory() {
            parts.push(new);
        }
        match self.heap_at_entry.turns {
            Some(1) => {}
            Some(turns) => {
                let roots = self.entry_roots();
                let own = self.reached_over(&roots, x, turns, Label::Pre);
                parts.push(self.arena.or([new, own]));
            }
            None => {
                let mut own = vec![new, self.cut_off(run, x)];
                let starts = self.entry_roots();
                own.extend(starts.into_iter().map(|start| self.arena.eq(x, start)));
                parts.push(self.arena.or(own));
            }
        }
        let body = self.arena.and(parts);
        self.arena.exists(&[var], body)
    }

    /// That an object was one step from another one at the entry, and that one is gone or does not
    /// reach it any more. If neither such an object nor one from which the procedure starts is without
    /// being reached otherwise, then by induction whatever could be reached still can.
    fn cut_off(&mut self, run: &Run, x: TermId) -> FormulaId {
        let var = self.arena.variable("$before", self.symbols.obj);
        let y = self.arena.var_term(var);
        let mut steps = Vec::new();
        for i in 0..self.symbols.pointers.len() {
            steps.push(self.heap().load(FieldAt::entry(i), y, x));
        }
        let step = self.arena.or(steps);
        let there = self.arena.rel(self.symbols.alloc.entry, &[y]);
        let alive = self.holds_of(run, self.symbols.alloc.now, y);
        let gone = self.arena.not(alive);
        let away = self.out_of_reach(run, &[y], x, 1);
        let lost = self.arena.or([gone, away]);
        let body = self.arena.and([there, step, lost]);
        self.arena.exists(&[var], body)
    }

    /// That an object is not reached from any of the roots now.
    fn out_of_reach(&mut self, run: &Run, roots: &[TermId], x: TermId, turns: usize) -> FormulaId {
        let places: Vec<VarId> = (0..roots.len())
            .map(|i| self.arena.variable(format!("$root{i}"), self.symbols.obj))
            .collect();
        let terms: Vec<TermId> = places.iter().map(|v| self.arena.var_term(*v)).collect();
        let reached = self.reached_over(&terms, x, turns, Label::Here);
        let reached = self.arena.expand(reached, &run.now);
        let subst: Subst = places.into_iter().zip(roots.iter().copied()).collect();
        let reached = self.arena.subst(reached, &subst);
        self.arena.not(reached)
    }

    fn global_objects(&mut self) -> Vec<(TermId, Spot)> {
        let globals = self.symbols.addresses.iter().filter(|(r, _)| matches!(r, Reg::Global(_)));
        let globals: Vec<_> = globals.map(|(_, at)| *at).collect();
        let start = |b: &Self, ty| b.view().object_spot(ty).unwrap_or(Spot::Start);
        globals.into_iter().map(|(fun, ty)| (self.arena.constant(fun), start(self, ty))).collect()
    }

    /// Where whoever is left can start.
    fn roots(&mut self, run: &mut Run, result: Option<Value>) -> Vec<TermId> {
        let mut roots = Vec::new();
        if let Some(Value::Ptr(term, spot)) = result {
            roots.push((term, spot));
        }
        let params = self.program.proc(self.view().proc).params;
        let twins: Vec<_> = self.symbols.regs.iter().map(|(r, t)| (*r, *t)).collect();
        for (reg, twin) in twins {
            let symbol = match reg {
                Reg::Local(v) if (v.0 as usize) < params => twin.entry,
                Reg::Local(_) => continue,
                Reg::Global(_) => twin.now,
            };
            if let RegSymbol::Ptr(fun) = symbol {
                let constant = self.arena.constant(fun);
                let term = match reg {
                    Reg::Global(_) => self.arena.expand_term(constant, &run.now),
                    Reg::Local(_) => constant,
                };
                let spot = match self.view().reg(reg).map(|r| r.kind) {
                    Ok(Kind::Ptr(spot)) => spot,
                    _ => Spot::Start,
                };
                if roots.iter().all(|(other, _)| *other != term) {
                    roots.push((term, spot));
                }
            }
        }
        roots.extend(self.global_objects());
        let null = self.null();
        roots.retain(|(r, _)| *r != null);
        let held = self.held_now(run, &roots);
        let mut roots: Vec<TermId> = roots.into_iter().map(|(r, _)| r).collect();
        for term in held {
            if term != null && !roots.contains(&term) {
                roots.push(term);
            }
        }
        roots
    }
}
