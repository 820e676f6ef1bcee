//! Sets of fields that are followed in any order: `reach({left, right}, x, y)`, `tree(left, right, x)`.
//!
//! Both are relations of the logic, one pair a set; a closure over several fields is no formula over
//! the fields alone.

use std::collections::BTreeSet;

use trellis_logic::{FormulaId, FunId, Structure, Value};

use super::Untranslatable;
use super::declare::Builder;
use super::formula::Translator;
use super::spots::Spot;
use super::terms::no;
use super::vocabulary::{Cell, CellKind, FieldSet, ProgramVocabulary, Twin};
use crate::cfg::reachable_procs;
use crate::ir::{ProcId, Program};
use crate::spec::{Assigns, FieldRef, Formula, Term};

/// All sets of fields that the contracts of a procedure, and of what it calls, follow.
fn sets_in_use(program: &Program, proc: ProcId) -> BTreeSet<Vec<FieldRef>> {
    let mut found = BTreeSet::new();
    let mut look = |formula: &Formula| {
        formula.visit(
            &mut |f| {
                if let Formula::Derived(d) = f
                    && let Some(fields) = d.field_set()
                {
                    found.insert(fields.to_vec());
                }
            },
            &mut |_| {},
        );
    };
    program.predicates.iter().filter_map(|p| p.body.as_ref()).for_each(&mut look);
    for proc in reachable_procs(program, proc) {
        let proc = program.proc(proc);
        proc.formulas().for_each(&mut look);
        if let Assigns::Places(items, _) = &proc.contract.assigns {
            items.iter().filter_map(|i| i.filter.as_ref()).for_each(&mut look);
        }
    }
    found
}

impl Builder<'_> {
    pub(super) fn field_sets(&mut self) -> Vec<FieldSet> {
        let mut out: Vec<FieldSet> = Vec::new();
        for fields in sets_in_use(self.program, self.proc) {
            let place = self.spots.of_pointer(&self.used, fields[0].owner);
            let Ok(Spot::At { family, at }) = place else { continue };
            let cells = cells(&fields, family, at);
            if out.iter().any(|set| set.cells == cells) {
                continue;
            }
            let names: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
            let names = names.join(", ");
            let (reach, tree) = (format!("reach({{{names}}})"), format!("tree({names})"));
            let obj = self.obj;
            let mut twin = |name: &str, arity: usize| Twin {
                now: self.logic.state_relation(name, &vec![obj; arity]),
                entry: self.logic.relation(format!("\\old({name})"), &vec![obj; arity]),
            };
            out.push(FieldSet { cells, reach: twin(&reach, 2), tree: twin(&tree, 1) });
        }
        out
    }
}

/// The cells of some fields of what lies at a place.
fn cells(fields: &[FieldRef], family: usize, at: i64) -> Vec<Cell> {
    let cell = |f: &FieldRef| Cell { family, at: at + i64::from(f.offset), kind: CellKind::Ptr };
    let cells: BTreeSet<Cell> = fields.iter().map(cell).collect();
    cells.into_iter().collect()
}

impl ProgramVocabulary {
    /// Tells the relations of all sets of fields in a structure whose fields are given.
    pub(super) fn fill_field_sets(&self, structure: &mut Structure) {
        for set in &self.field_sets {
            let symbols: Vec<_> = set.cells.iter().filter_map(|c| self.symbol(*c)).collect();
            let now: Vec<FunId> = symbols.iter().map(|f| f.now).collect();
            let entry: Vec<FunId> = symbols.iter().map(|f| f.entry).collect();
            for x in 0..structure.size(self.obj) {
                for (funs, reach, tree) in
                    [(&now, set.reach.now, set.tree.now), (&entry, set.reach.entry, set.tree.entry)]
                {
                    let (seen, twice) = walk(structure, funs, x);
                    seen.into_iter().for_each(|y| structure.set_rel(reach, &[x, y], true));
                    structure.set_rel(tree, &[x], !twice);
                }
            }
        }
    }

    fn symbol(&self, cell: Cell) -> Option<Twin<FunId>> {
        self.fields().find(|(c, _)| *c == cell).map(|(_, f)| f.fun)
    }
}

/// The nodes that are reached from an element, and whether one is reached twice; null is element 0.
fn walk(structure: &Structure, funs: &[FunId], from: u32) -> (BTreeSet<u32>, bool) {
    if from == 0 {
        return (BTreeSet::new(), false);
    }
    let (mut seen, mut twice, mut todo) = (BTreeSet::from([from]), false, vec![from]);
    while let Some(at) = todo.pop() {
        for fun in funs {
            match structure.fun(*fun, &[at]) {
                Some(Value::Elem(to)) if to != 0 => match seen.insert(to) {
                    true => todo.push(to),
                    false => twice = true,
                },
                _ => {}
            }
        }
    }
    (seen, twice)
}

impl<'a> Translator<'a> {
    /// The set of some fields, and where they start.
    fn set_of_fields(&self, fields: &[FieldRef]) -> Result<(&'a FieldSet, Spot), Untranslatable> {
        let vocabulary = self.exact.vocabulary;
        let mut place = Spot::Null;
        for field in fields {
            place = self.link(field)?.1;
        }
        let Spot::At { family, at } = place else { return no("a field of an unknown type") };
        let cells = cells(fields, family, at);
        match vocabulary.field_sets.iter().find(|set| set.cells == cells) {
            Some(set) => Ok((set, place)),
            None => no("a set of fields that the logic does not have"),
        }
    }

    pub(super) fn reach_over(
        &mut self,
        fields: &'a [FieldRef],
        from: &'a Term,
        to: &'a Term,
    ) -> Result<FormulaId, Untranslatable> {
        let (set, place) = self.set_of_fields(fields)?;
        let (from, to) = (self.linked(from, place)?, self.linked(to, place)?);
        Ok(self.exact.arena.rel(set.reach.at(self.view), &[from, to]))
    }

    /// No node is reached twice, and the fields of all that are reached have values.
    pub(super) fn tree(
        &mut self,
        fields: &'a [FieldRef],
        root: &'a Term,
    ) -> Result<FormulaId, Untranslatable> {
        let (set, place) = self.set_of_fields(fields)?;
        let root = self.linked(root, place)?;
        let free = self.vars.len();
        let (var, node) = self.reached("node");
        let mut values = Vec::new();
        for field in fields {
            let fun = self.link(field)?.0.symbol.fun.at(self.view);
            let value = self.exact.arena.app(fun, &[node]);
            values.push(self.exact.defined(value));
        }
        self.vars.truncate(free);
        let reached = self.exact.arena.rel(set.reach.at(self.view), &[root, node]);
        let values = self.exact.and(values);
        let body = self.exact.implies(reached, values);
        let readable = self.exact.arena.forall(&[var], body);
        let single = self.exact.arena.rel(set.tree.at(self.view), &[root]);
        Ok(self.exact.and(vec![single, readable]))
    }
}
