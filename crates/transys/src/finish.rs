//! The end of the procedure: its contract, and leaks.

use trellis_logic::{FormulaId, Subst, TermId, VarId};
use trellis_program::spec::Assigns;
use trellis_program::{CheckKind, Expr, Reg, Span};

use crate::execute::{Builder, Step};
use crate::state::{Run, Value};
use crate::symbols::RegSymbol;
use crate::system::{ErrorKind, Unsupported};

impl Builder<'_> {
    /// `return value`: every promise of the contract, then leaks.
    pub(crate) fn finish(&mut self, run: &mut Run, value: Option<&Expr>, span: Span) -> Step<()> {
        let value = match value {
            Some(e) => Some(self.eval(run, e, span)?),
            None => None,
        };
        let locals: Vec<Reg> = run.locals.keys().copied().collect();
        locals.into_iter().for_each(|reg| self.end_local(run, reg));
        if let (Some(symbol), Some(value)) = (self.symbols.result, value) {
            self.define(run, symbol, value, self.view().result.map(|r| r.kind), span)?;
        }
        let proc = self.program.proc(self.view().proc);
        for clause in &proc.contract.ensures {
            self.require(run, CheckKind::Postcondition, &clause.formula, clause.span)?;
        }
        if let Assigns::Places(_, at) = &proc.contract.assigns
            && self.options.checks.contains(CheckKind::Assigns)
        {
            return Err(Unsupported::at(*at, "an assigns clause").into());
        }
        if self.options.checks.contains(CheckKind::Leak) && (self.may_allocate || self.may_unlink) {
            let leak = self.leak(run, value);
            self.bad(run, ErrorKind::Check(CheckKind::Leak), span, leak);
        }
        Ok(())
    }

    /// That some heap object is allocated and nobody who is left can reach it: not over the result,
    /// the arguments as they were passed, or the globals.
    fn leak(&mut self, run: &mut Run, result: Option<Value>) -> FormulaId {
        let var = self.arena.variable("lost", self.symbols.obj);
        let x = self.arena.var_term(var);
        let mut parts = vec![self.holds_of(run, self.symbols.alloc.now, x)];
        for address in self.global_objects() {
            parts.push(self.arena.ne(x, address));
        }
        // Over several fields in turn, the heap of the entry may have more in it than its own.
        if self.shape.turns > 1 {
            let roots = self.entry_roots();
            let own = self.reached_over(&roots, x, self.shape.turns, false);
            let before = self.arena.rel(self.symbols.alloc.entry, &[x]);
            let new = self.arena.not(before);
            parts.push(self.arena.or([new, own]));
        }
        let roots = self.roots(run, result);
        parts.push(self.out_of_reach(run, &roots, x));
        let body = self.arena.and(parts);
        self.arena.exists(&[var], body)
    }

    /// That an object is not reached from any of the roots now.
    fn out_of_reach(&mut self, run: &Run, roots: &[TermId], x: TermId) -> FormulaId {
        let places: Vec<VarId> = (0..roots.len())
            .map(|i| self.arena.variable(format!("$root{i}"), self.symbols.obj))
            .collect();
        let terms: Vec<TermId> = places.iter().map(|v| self.arena.var_term(*v)).collect();
        let reached = self.reached_over(&terms, x, self.shape.turns, true);
        let reached = self.arena.expand(reached, &run.now);
        let subst: Subst = places.into_iter().zip(roots.iter().copied()).collect();
        let reached = self.arena.subst(reached, &subst);
        self.arena.not(reached)
    }

    fn global_objects(&mut self) -> Vec<TermId> {
        let globals = self.symbols.addresses.iter().filter(|(r, _)| matches!(r, Reg::Global(_)));
        let globals: Vec<_> = globals.map(|(_, (fun, _))| *fun).collect();
        globals.into_iter().map(|fun| self.arena.constant(fun)).collect()
    }

    /// Where whoever is left can start.
    fn roots(&mut self, run: &Run, result: Option<Value>) -> Vec<TermId> {
        let mut roots = Vec::new();
        if let Some(Value::Ptr(term, _)) = result {
            roots.push(term);
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
                if !roots.contains(&term) {
                    roots.push(term);
                }
            }
        }
        roots.extend(self.global_objects());
        let null = self.null();
        roots.retain(|r| *r != null);
        roots
    }
}
