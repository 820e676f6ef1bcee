//! Executions as sequences of paths from the entry.
//!
//! Everything is said about the entry state, by substitution, so a model of the guards of an execution
//! is its initial heap.
//!
//! **Invariant.** Every step has witnesses of its own, so what one path finds is not taken for what
//! the next one finds.

use trellis_logic::{Definitions, FormulaId, FunId, RelId, SortId, Vocabulary};

use crate::execute::paths::{Path, Target};
use crate::system::{LocationId, TransitionSystem};

/// An execution from the entry on.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Where it is; after an error, where the last path began.
    pub at: LocationId,
    /// The current state in terms of the entry state.
    pub now: Definitions,
    /// What the entry state must satisfy, besides what holds at the entry.
    pub guards: Vec<FormulaId>,
    /// The paths taken, by their indices in the system.
    pub paths: Vec<usize>,
}

impl Default for Execution {
    fn default() -> Execution {
        Execution {
            at: LocationId::ENTRY,
            now: Definitions::new(),
            guards: Vec::new(),
            paths: Vec::new(),
        }
    }
}

impl Execution {
    /// The execution that goes on with a path from where this one is.
    #[must_use]
    pub fn extended(&self, system: &mut TransitionSystem, index: usize) -> Execution {
        let path = system.paths[index].clone();
        let mut now = self.now.clone();
        rename(system, &mut now, &path, self.paths.len());
        let arena = &mut system.arena;
        let mut guards = self.guards.clone();
        guards.extend(path.guards.iter().map(|&g| arena.expand(g, &now)));
        let update = path.update.expanded(arena, &now);
        let mut after = self.now.clone();
        after.extend(update);
        let at = match path.to {
            Target::Location(to) => to,
            Target::Error(_) => self.at,
        };
        let mut paths = self.paths.clone();
        paths.push(index);
        Execution { at, now: after, guards, paths }
    }
}

/// Defines the witnesses of a path as constants of the step.
fn rename(system: &mut TransitionSystem, now: &mut Definitions, path: &Path, step: usize) {
    let (vocabulary, arena) = (&mut system.vocabulary, &mut system.arena);
    for &fun in &system.witnesses.objects[..path.used.objects] {
        let name = format!("{}@{step}", vocabulary.fun(fun).name);
        let own = named_constant(vocabulary, &name, system.symbols.obj);
        let own = arena.constant(own);
        now.define_fun(fun, &[], own);
    }
    for &fun in &system.witnesses.data[..path.used.data] {
        let name = format!("{}@{step}", vocabulary.fun(fun).name);
        let own = named_constant(vocabulary, &name, system.symbols.data);
        let own = arena.constant(own);
        now.define_fun(fun, &[], own);
    }
    for &rel in &system.witnesses.truths[..path.used.truths] {
        let name = format!("{}@{step}", vocabulary.rel(rel).name);
        let own = named_relation(vocabulary, &name, &[]);
        let own = arena.rel(own, &[]);
        now.define_rel(rel, &[], own);
    }
    let obj = system.symbols.obj;
    let vars = ["$a", "$b", "$c"].map(|n| arena.variable(n, obj));
    let terms = vars.map(|v| arena.var_term(v));
    for &rel in &system.witnesses.versions[..path.used.versions] {
        let name = format!("{}@{step}", vocabulary.rel(rel).name);
        let arity = vocabulary.rel(rel).args.len();
        let own = named_relation(vocabulary, &name, &vec![obj; arity]);
        let own = arena.rel(own, &terms[..arity]);
        now.define_rel(rel, &vars[..arity], own);
    }
    for &fun in &system.witnesses.functions[..path.used.functions] {
        let name = format!("{}@{step}", vocabulary.fun(fun).name);
        let data = system.symbols.data;
        let own = match vocabulary.find_fun(&name) {
            Some(own) => own,
            None => vocabulary.function(name, &[obj], data),
        };
        let own = arena.app(own, &terms[..1]);
        now.define_fun(fun, &vars[..1], own);
    }
}

fn named_constant(vocabulary: &mut Vocabulary, name: &str, sort: SortId) -> FunId {
    vocabulary.find_fun(name).unwrap_or_else(|| vocabulary.constant(name, sort))
}

fn named_relation(vocabulary: &mut Vocabulary, name: &str, args: &[SortId]) -> RelId {
    vocabulary.find_rel(name).unwrap_or_else(|| vocabulary.relation(name, args))
}
