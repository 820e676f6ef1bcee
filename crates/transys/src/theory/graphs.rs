//! Any heaps, for questions about the entry where paths see trees: each field is seen as in
//! [`Cycles`], single steps stand beside it, and one relation more says what is reached over all
//! fields of the set.
//!
//! **Invariant.** All heaps have a structure here. The converse fails, since no formula says that
//! what is reached is reached by steps: a structure may have more of it. So a precondition may be
//! refused without need, and is never taken for one that keeps to trees wrongly.

use trellis_logic::{FormulaId, RelId, SortId, Structure, TermId, Vocabulary};

use super::cycles::Cycles;
use super::edges::{EdgeRules, Rule};
use super::{FieldAt, Fields, HeapLogic, HeapTheory};
use crate::symbols::PointerField;

#[derive(Debug)]
pub(super) struct Graphs;

impl HeapLogic<'_> {
    /// The relation of what is reached over the set of a field.
    fn over_set(&mut self, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        match self.fields.all[at.field].reach {
            Some(reach) => self.arena.rel(reach, &[x, y]),
            None => FormulaId::TRUE,
        }
    }

    /// The single step of a field, and that it leads to a node.
    fn step(&mut self, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        let null = self.null();
        let (edge, some) = (self.load(at, x, y), self.arena.ne(y, null));
        self.arena.and([edge, some])
    }

    /// Two of the steps to x, over all pairs of fields of a set, from somewhere.
    fn two_steps_to(&mut self, at: FieldAt, [u, v]: [TermId; 2], x: TermId) -> FormulaId {
        let set = self.fields.set_of(at.field);
        let mut parts = Vec::new();
        for (i, &f) in set.iter().enumerate() {
            for &g in &set[..=i] {
                let first = self.step(FieldAt { field: f, label: at.label }, u, x);
                let second = self.step(FieldAt { field: g, label: at.label }, v, x);
                let mut both = vec![first, second];
                if f == g {
                    both.push(self.arena.ne(u, v));
                }
                parts.push(self.arena.and(both));
            }
        }
        self.arena.or(parts)
    }

    /// That x is a node with two parents, or lies on a cycle.
    pub(super) fn not_a_tree_at(&mut self, at: FieldAt, x: TermId) -> FormulaId {
        let vars = ["$u", "$v"].map(|n| self.arena.variable(n, self.fields.obj));
        let [u, v] = vars.map(|var| self.arena.var_term(var));
        let shared = self.two_steps_to(at, [u, v], x);
        let shared = self.arena.exists(&vars, shared);
        let (step, back) = (self.step(at, x, u), self.over_set(at, u, x));
        let cycle = self.arena.and([step, back]);
        let cycle = self.arena.exists(&vars[..1], cycle);
        self.arena.or([shared, cycle])
    }
}

impl HeapTheory for Graphs {
    fn declare(&self, logic: &mut Vocabulary, obj: SortId, name: String, set: &str) -> RelId {
        Cycles.declare(logic, obj, name, set)
    }

    fn axioms(&self, heap: &mut HeapLogic<'_>, at: FieldAt) -> Vec<FormulaId> {
        let mut axioms = Cycles.axioms(heap, at);
        let vars = ["$x", "$y", "$z"].map(|n| heap.arena.variable(n, heap.fields.obj));
        let [x, y, z] = vars.map(|v| heap.arena.var_term(v));
        let null = heap.null();
        let xx = heap.over_set(at, x, x);
        let (xy, yz, xz) =
            (heap.over_set(at, x, y), heap.over_set(at, y, z), heap.over_set(at, x, z));
        let path = Cycles.reach(heap, at, x, y);
        let along = heap.arena.implies(path, xy);
        let premise = heap.arena.and([xy, yz]);
        let transitive = heap.arena.implies(premise, xz);
        let (from_null, end) = (heap.over_set(at, null, x), heap.arena.eq(x, null));
        let ends = heap.arena.implies(from_null, end);
        axioms.extend([xx, along, transitive, ends].map(|body| heap.arena.forall(&vars, body)));
        axioms
    }

    fn edge_rules(&self) -> Option<EdgeRules> {
        Some(edge_rules)
    }

    fn needs_edges(&self) -> bool {
        true
    }

    fn load(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        match heap.fields.all[at.field].edge {
            Some(_) => heap.load(at, x, y),
            None => Cycles.load(heap, at, x, y),
        }
    }

    fn reach(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        let null = heap.null();
        let (reached, none) = (heap.over_set(at, x, y), heap.arena.eq(y, null));
        heap.arena.or([none, reached])
    }

    fn path(
        &self,
        heap: &mut HeapLogic<'_>,
        at: FieldAt,
        x: TermId,
        y: TermId,
    ) -> Result<FormulaId, String> {
        Ok(Cycles.reach(heap, at, x, y))
    }

    /// Each node that is reached has one parent among those, the root has none, and no step leads
    /// back: that last part follows in heaps, but not from the axioms.
    fn tree(
        &self,
        heap: &mut HeapLogic<'_>,
        at: FieldAt,
        root: TermId,
    ) -> Result<FormulaId, String> {
        let vars = ["$u", "$v", "$w"].map(|n| heap.arena.variable(n, heap.fields.obj));
        let [u, v, w] = vars.map(|var| heap.arena.var_term(var));
        let (to_u, to_v) = (heap.over_set(at, root, u), heap.over_set(at, root, v));
        let twice = heap.two_steps_to(at, [u, v], w);
        let mut wrong = vec![heap.arena.and([to_u, to_v, twice])];
        for field in heap.fields.set_of(at.field) {
            let at = FieldAt { field, label: at.label };
            let (step, back) = (heap.step(at, u, w), heap.over_set(at, w, u));
            wrong.push(heap.arena.and([to_u, step, back]));
        }
        let wrong = heap.arena.or(wrong);
        let fine = heap.arena.not(wrong);
        Ok(heap.arena.forall(&vars, fine))
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn has_cycles(&self) -> bool {
        true
    }

    fn isolated(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId) -> FormulaId {
        Cycles.isolated(heap, at, x)
    }

    fn read(&self, model: &Structure, fields: Fields<'_>, at: FieldAt, x: u32) -> Option<u32> {
        Cycles.read(model, fields, at, x)
    }

    fn write(
        &self,
        out: &mut Structure,
        fields: Fields<'_>,
        at: FieldAt,
        next: &dyn Fn(usize, u32) -> u32,
    ) -> Result<(), String> {
        Cycles.write(out, fields, at, next)?;
        let Some(reach) = fields.all[at.field].reach else { return Ok(()) };
        let (set, null) = (fields.set_of(at.field), out.constant(fields.null));
        for x in 0..out.size(fields.obj) {
            let mut todo = vec![x];
            while let Some(y) = todo.pop() {
                if !out.rel(reach, &[x, y]) {
                    out.set_rel(reach, &[x, y], true);
                    let further = set.iter().filter(|_| Some(y) != null);
                    todo.extend(further.map(|field| next(*field, y)));
                }
            }
        }
        Ok(())
    }

    fn closure(&self, _field: &PointerField) -> Option<RelId> {
        None
    }

    fn meaning(&self, field: &str) -> String {
        Cycles.meaning(field)
    }

    fn word(&self, field: &str) -> Option<String> {
        Cycles.word(field)
    }
}

/// As in [`Cycles`], about the field alone.
fn edge_rules(
    heap: &mut HeapLogic<'_>,
    at: FieldAt,
    edge: FormulaId,
    [x, y, z]: [TermId; 3],
) -> Vec<Rule> {
    let on = Cycles.reach(heap, at, x, z);
    let step = Cycles.reach(heap, at, x, y);
    let (moves, away) = (heap.arena.ne(x, y), heap.arena.ne(x, z));
    let first = heap.arena.rel(heap.fields.relation(at), &[x, y, z]);
    let (stays, alone) = (heap.arena.not(moves), heap.arena.not(away));
    vec![
        (vec![edge], vec![step]),
        (vec![edge, on, away], vec![first]),
        (vec![edge, stays, on], vec![alone]),
    ]
}
