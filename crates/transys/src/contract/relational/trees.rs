//! `reach({left, right}, x, y)` and `tree(left, right, x)` as relational formulas.

use trellis_logic::{FormulaId, TermId};
use trellis_program::spec::Label;
use trellis_program::view::Cell;

use super::{Relational, Resolved, Result};
use crate::theory::FieldAt;

impl Relational<'_> {
    /// One of the fields of a set that contracts follow in any order, which must be a set of the
    /// symbols, or a single field.
    fn one_of(&self, cells: &[Cell], label: Label) -> Result<FieldAt> {
        let fields: Vec<usize> =
            cells.iter().filter_map(|c| self.symbols.pointer_field(*c)).collect();
        match fields.first() {
            Some(&field)
                if fields.len() == cells.len() && self.symbols.fields().set_of(field) == fields =>
            {
                Ok(FieldAt { field, label })
            }
            _ => Err("a set of fields that are not those of a tree".into()),
        }
    }

    pub(super) fn reach_over(
        &mut self,
        cells: &[Cell],
        label: Label,
        from: TermId,
        to: TermId,
        value: bool,
    ) -> Result<FormulaId> {
        let at = self.one_of(cells, label)?;
        let set = self.symbols.fields().set_of(at.field);
        let mut out = Vec::new();
        for case in self.resolve(from)? {
            // From a child: what lies in a subtree.
            let child = match case.value {
                Resolved::Field { field, label: then, of }
                    if set.contains(&field) && then == label =>
                {
                    Some((FieldAt { field, label }, of))
                }
                _ => None,
            };
            let of_nothing = self.arena.constant(self.symbols.null);
            let by_subtree = child.and_then(|(at, of)| {
                let mut heap = self.heap();
                let theory = heap.fields.all[at.field].theory;
                theory.subtree(&mut heap, at, of, of_nothing).map(|_| (at, of))
            });
            let (case, subtree) = match by_subtree {
                Some(child) => (case, Some(child)),
                None => (self.settle(case), None),
            };
            let beginning = case.value;
            let formula = self.on_objects(&[to], value, |s, y| {
                let null = s.arena.constant(s.symbols.null);
                let node = s.arena.ne(y[0], null);
                let mut heap = s.heap();
                let reached = match (subtree, beginning) {
                    (Some((at, of)), _) => {
                        let theory = heap.fields.all[at.field].theory;
                        theory.subtree(&mut heap, at, of, y[0])
                    }
                    (None, Resolved::Obj(x)) => Some(heap.reach(at, x, y[0])),
                    _ => None,
                };
                let reached = reached.ok_or("a path from something that is no object")?;
                Ok(s.arena.and([node, reached]))
            })?;
            out.push(self.close(&case, formula));
        }
        Ok(self.arena.or(out))
    }

    /// That no node is reached twice; over one field, that it has no cycle.
    pub(super) fn tree(
        &mut self,
        cells: &[Cell],
        label: Label,
        root: TermId,
        value: bool,
    ) -> Result<FormulaId> {
        let at = self.one_of(cells, label)?;
        self.on_objects(&[root], value, |s, x| {
            let null = s.arena.constant(s.symbols.null);
            let mut heap = s.heap();
            let theory = heap.fields.all[at.field].theory;
            match heap.fields.all[at.field].set {
                Some(_) => theory.tree(&mut heap, at, x[0]),
                // A field that may have cycles has one or comes to an end.
                None => Ok(heap.reach(at, x[0], null)),
            }
        })
    }

    /// That a term has a value; as false as anything that is undefined.
    pub(super) fn defined(&mut self, term: TermId, value: bool) -> Result<FormulaId> {
        let mut out = Vec::new();
        for case in self.resolve(term)? {
            if case.value != Resolved::Undefined {
                let holds = if value { FormulaId::TRUE } else { FormulaId::FALSE };
                out.push(self.close(&case, holds));
            }
        }
        Ok(self.arena.or(out))
    }
}
