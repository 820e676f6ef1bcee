//! The state at the end of a path, as a structure.
//!
//! **Invariant.** Of the symbols, only those that some formula asked about have the values of the
//! end; others keep those of the beginning.

use rustc_hash::{FxHashMap, FxHashSet};
use trellis_logic::bits::BitSet;
use trellis_logic::{Evaluator, FormulaId, FunId, RelId, SortId, Structure, TermId, Value, VarId};

use super::Space;
use crate::cube::Literal;

/// What symbols are at the ends of paths.
#[derive(Default)]
pub(super) struct Ends {
    /// The atoms whose symbols are known.
    seen: FxHashSet<FormulaId>,
    funs: Vec<FunId>,
    rels: Vec<RelId>,
    /// By path: the symbols that it changes.
    changes: FxHashMap<usize, Changes>,
}

/// The symbols that a path changes, in terms of its beginning.
#[derive(Default)]
struct Changes {
    /// How many of the functions and relations were looked at.
    seen: (usize, usize),
    funs: Vec<(FunId, Vec<VarId>, TermId)>,
    rels: Vec<(RelId, Vec<VarId>, FormulaId)>,
}

impl Ends {
    /// The state after a path that begins in `before`, as far as these literals can tell.
    pub(super) fn after(
        &mut self,
        space: &mut Space,
        path: usize,
        before: &Structure,
        literals: &[Literal],
    ) -> Structure {
        for literal in literals {
            self.look_at(space, literal.atom);
        }
        let changes = self.changes(space, path);
        let mut after = before.clone();
        let arena = &space.system.arena;
        for (fun, vars, term) in &changes.funs {
            let places = before.fun_space(*fun);
            for index in 0..places.len() {
                let tuple = places.tuple(index);
                let value = Evaluator::with(before, arena, &assign(vars, &tuple)).term(*term);
                after.set_fun(*fun, &tuple, value.ok());
            }
        }
        for (rel, vars, formula) in &changes.rels {
            let places = before.rel_space(*rel);
            let mut table = BitSet::new(places.len());
            for index in 0..places.len() {
                let values = assign(vars, &places.tuple(index));
                let holds = Evaluator::with(before, arena, &values).formula(*formula);
                table.set(index, holds == Ok(true));
            }
            after.set_rel_table(*rel, table);
        }
        after
    }

    fn look_at(&mut self, space: &Space, atom: FormulaId) {
        if self.seen.insert(atom) {
            let used = space.system.arena.symbols_in_use(atom);
            for fun in used.funs {
                if !self.funs.contains(&fun) {
                    self.funs.push(fun);
                }
            }
            for rel in used.rels {
                if !self.rels.contains(&rel) {
                    self.rels.push(rel);
                }
            }
        }
    }

    fn changes(&mut self, space: &mut Space, path: usize) -> &Changes {
        let system = &mut space.system;
        let changes = self.changes.entry(path).or_default();
        let update = &system.paths[path].update;
        for &fun in &self.funs[changes.seen.0..] {
            let vars = variables(&mut system.arena, &system.vocabulary.fun(fun).args);
            let args: Vec<TermId> = vars.iter().map(|&v| system.arena.var_term(v)).collect();
            let before = system.arena.app(fun, &args);
            let after = system.arena.expand_term(before, update);
            if after != before {
                changes.funs.push((fun, vars, after));
            }
        }
        for &rel in &self.rels[changes.seen.1..] {
            let vars = variables(&mut system.arena, &system.vocabulary.rel(rel).args);
            let args: Vec<TermId> = vars.iter().map(|&v| system.arena.var_term(v)).collect();
            let before = system.arena.rel(rel, &args);
            let after = system.arena.expand(before, update);
            if after != before {
                changes.rels.push((rel, vars, after));
            }
        }
        changes.seen = (self.funs.len(), self.rels.len());
        changes
    }
}

fn variables(arena: &mut trellis_logic::Arena, sorts: &[SortId]) -> Vec<VarId> {
    sorts.iter().enumerate().map(|(i, &sort)| arena.variable(format!("${i}"), sort)).collect()
}

fn assign(vars: &[VarId], tuple: &[u32]) -> Vec<(VarId, Value)> {
    vars.iter().zip(tuple).map(|(&var, &x)| (var, Value::Elem(x))).collect()
}
