//! Trees: the fields of a set lead to children, and each node hangs at one field of one node at most.
//!
//! A field is the relation of its subtrees, `reach({left, right}, x->left, y)`; what a load finds and a
//! store changes depends on all fields of the set ([`trellis_solver::forest`] has the laws).
//!
//! **Invariant.** The heaps are the forests over the set. A store that gives a node a second parent,
//! or closes a cycle, is forbidden, and a precondition must exclude both. Between two statements of
//! a path a node may have two parents: execution attaches what was written where the path ends
//! (`execute::forest`), so [`store`](HeapTheory::store) is used by tests alone.

use trellis_logic::{Definitions, FormulaId, RelId, SortId, Structure, TermId, Vocabulary};
use trellis_solver::forest::Forest as Laws;

use super::edges::{EdgeRules, Rule};
use super::{FieldAt, Fields, HeapLogic, HeapTheory};
use crate::symbols::PointerField;
use crate::system::ErrorKind;

#[derive(Debug)]
pub(super) struct Forest;

impl Fields<'_> {
    /// The fields of the set that a field is in, itself included.
    pub(crate) fn set_of(&self, field: usize) -> Vec<usize> {
        let set = self.all[field].set;
        match set {
            Some(_) => (0..self.all.len()).filter(|i| self.all[*i].set == set).collect(),
            None => vec![field],
        }
    }

    /// The names of the fields of a set, `left, right`.
    fn names(&self, field: usize) -> String {
        let names: Vec<&str> =
            self.set_of(field).into_iter().map(|i| self.all[i].name.as_str()).collect();
        names.join(", ")
    }
}

impl HeapLogic<'_> {
    /// The laws of the forest that a field belongs to, in its state, and its number there.
    pub(crate) fn in_forest<T>(
        &mut self,
        at: FieldAt,
        make: impl FnOnce(&mut Laws<'_>, usize) -> T,
    ) -> T {
        let set = self.fields.set_of(at.field);
        let number = set.iter().position(|i| *i == at.field).unwrap_or(0);
        let rels: Vec<RelId> = set
            .into_iter()
            .map(|field| self.fields.relation(FieldAt { field, label: at.label }))
            .collect();
        let null = self.null();
        make(&mut Laws::new(self.arena, &rels, self.fields.obj, null), number)
    }
}

impl HeapTheory for Forest {
    fn declare(&self, logic: &mut Vocabulary, obj: SortId, name: String, set: &str) -> RelId {
        let field = logic.field(name, obj, obj);
        logic.below(set, field)
    }

    /// Those of all fields of the set stand with its first one.
    fn axioms(&self, heap: &mut HeapLogic<'_>, at: FieldAt) -> Vec<FormulaId> {
        match heap.fields.set_of(at.field).first() == Some(&at.field) {
            true => heap.in_forest(at, |laws, _| laws.axioms()),
            false => Vec::new(),
        }
    }

    fn edge_rules(&self) -> Option<EdgeRules> {
        Some(edge_rules)
    }

    fn load(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        heap.in_forest(at, |laws, field| laws.load(field, x, y))
    }

    /// Over all fields of the set.
    fn reach(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        let null = heap.null();
        let below = heap.in_forest(at, |laws, _| laws.below(x, y));
        let none = heap.arena.eq(y, null);
        heap.arena.or([none, below])
    }

    fn path(
        &self,
        heap: &mut HeapLogic<'_>,
        at: FieldAt,
        x: TermId,
        y: TermId,
    ) -> Result<FormulaId, String> {
        Ok(heap.in_forest(at, |laws, field| laws.spine(field, x, y)))
    }

    fn subtree(
        &self,
        heap: &mut HeapLogic<'_>,
        at: FieldAt,
        x: TermId,
        y: TermId,
    ) -> Option<FormulaId> {
        Some(heap.arena.rel(heap.fields.relation(at), &[x, y]))
    }

    /// All of its heaps are forests.
    fn tree(&self, _: &mut HeapLogic<'_>, _: FieldAt, _: TermId) -> Result<FormulaId, String> {
        Ok(FormulaId::TRUE)
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn has_cycles(&self) -> bool {
        false
    }

    fn changed(&self, fields: Fields<'_>, field: usize) -> Vec<RelId> {
        fields.set_of(field).into_iter().map(|i| fields.all[i].relation.now).collect()
    }

    fn store(&self, heap: &mut HeapLogic<'_>, field: usize, x: TermId, y: TermId) -> Definitions {
        let rels = self.changed(heap.fields, field);
        let (detached, attached) = heap.in_forest(FieldAt::now(field), |laws, f| {
            (laws.detach(Some(f), x), laws.attach(f, FormulaId::TRUE, x, y))
        });
        let vars = ["$x", "$y"].map(|n| heap.arena.variable(n, heap.fields.obj));
        let terms = vars.map(|v| heap.arena.var_term(v));
        let mut out = Definitions::new();
        for rel in rels {
            let atom = heap.arena.rel(rel, &terms);
            let after = heap.arena.expand(atom, &attached);
            let after = heap.arena.expand(after, &detached);
            out.define_rel(rel, &vars, after);
        }
        out
    }

    fn forbidden_store(
        &self,
        heap: &mut HeapLogic<'_>,
        field: usize,
        x: TermId,
        y: TermId,
    ) -> Option<(ErrorKind, FormulaId)> {
        let (forbidden, detached) = heap.in_forest(FieldAt::now(field), |laws, f| {
            (laws.forbidden(x, y), laws.detach(Some(f), x))
        });
        Some((ErrorKind::Sharing, heap.arena.expand(forbidden, &detached)))
    }

    fn isolated(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId) -> FormulaId {
        let var = heap.arena.variable("$a", heap.fields.obj);
        let any = heap.arena.var_term(var);
        let rel = heap.fields.relation(at);
        let (to, from) = (heap.arena.rel(rel, &[any, x]), heap.arena.rel(rel, &[x, any]));
        let some = heap.arena.or([to, from]);
        let none = heap.arena.not(some);
        heap.arena.forall(&[var], none)
    }

    fn excluded(
        &self,
        entry: &mut HeapLogic<'_>,
        at: FieldAt,
        x: TermId,
    ) -> Option<(FormulaId, String)> {
        let names = entry.fields.names(at.field);
        let reason = format!("a precondition that allows more than trees over `{names}`");
        Some((entry.not_a_tree_at(at, x), reason))
    }

    fn included(&self, fields: Fields<'_>, field: usize, object: &str) -> Option<String> {
        Some(format!("tree({}, {object})", fields.names(field)))
    }

    /// The child below which all others are. A structure that no heap has may have several.
    fn read(&self, model: &Structure, fields: Fields<'_>, at: FieldAt, x: u32) -> Option<u32> {
        let rels: Vec<RelId> = fields
            .set_of(at.field)
            .into_iter()
            .map(|field| fields.relation(FieldAt { field, label: at.label }))
            .collect();
        let below = |y: u32, z: u32| y == z || rels.iter().any(|r| model.rel(*r, &[y, z]));
        let here = fields.relation(at);
        let all: Vec<u32> =
            (0..model.size(fields.obj)).filter(|y| model.rel(here, &[x, *y])).collect();
        let top = |y: &u32| all.iter().all(|z| !below(*z, *y) || z == y);
        all.iter().copied().find(top)
    }

    fn write(
        &self,
        out: &mut Structure,
        fields: Fields<'_>,
        at: FieldAt,
        next: &dyn Fn(usize, u32) -> u32,
    ) -> Result<(), String> {
        let (set, here) = (fields.set_of(at.field), fields.relation(at));
        let (size, null) = (out.size(fields.obj), out.constant(fields.null));
        let child = |field: usize, x: u32| {
            let y = next(field, x);
            (Some(x) != null && Some(y) != null).then_some(y)
        };
        let mut parents = vec![0_u32; size as usize];
        for x in 0..size {
            for y in set.iter().filter_map(|f| child(*f, x)) {
                parents[y as usize] += 1;
                if parents[y as usize] > 1 {
                    return Err(format!(
                        "a node with two parents over `{}`",
                        fields.names(at.field)
                    ));
                }
            }
        }
        for x in 0..size {
            let mut todo: Vec<u32> = child(at.field, x).into_iter().collect();
            while let Some(y) = todo.pop() {
                if y == x {
                    return Err(format!("a cycle over `{}`", fields.names(at.field)));
                }
                if !out.rel(here, &[x, y]) {
                    out.set_rel(here, &[x, y], true);
                    todo.extend(set.iter().filter_map(|f| child(*f, y)));
                }
            }
        }
        Ok(())
    }

    fn closure(&self, _field: &PointerField) -> Option<RelId> {
        None
    }

    fn meaning(&self, field: &str) -> String {
        format!("y lies in the subtree of x at `{field}`")
    }

    fn word(&self, field: &str) -> Option<String> {
        Some(format!("subtree({field})"))
    }
}

/// What a step leads to is null or lies in the subtree, and all of the subtree is below it.
fn edge_rules(
    heap: &mut HeapLogic<'_>,
    at: FieldAt,
    edge: FormulaId,
    [x, y, z]: [TermId; 3],
) -> Vec<Rule> {
    let null = heap.null();
    let rel = heap.fields.relation(at);
    let (child, there) = (heap.arena.rel(rel, &[x, y]), heap.arena.rel(rel, &[x, z]));
    let none = heap.arena.eq(y, null);
    let child = heap.arena.or([none, child]);
    let first = heap.in_forest(at, |laws, _| laws.below(y, z));
    vec![(vec![edge], vec![child]), (vec![edge, there], vec![first])]
}
