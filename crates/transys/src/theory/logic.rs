//! Where formulas about pointer fields are made: each by the theory of its field.

use trellis_logic::{
    Arena, Definitions, FormulaId, FunId, RelId, SortId, Structure, TermId, Vocabulary,
};
use trellis_program::spec::Label;

use crate::symbols::{PointerField, Symbols};
use crate::system::ErrorKind;

/// A pointer field in one of the states that formulas speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldAt {
    /// Its number among the pointer fields.
    pub field: usize,
    /// Now, or at the entry.
    pub label: Label,
}

impl FieldAt {
    /// A field now.
    pub fn now(field: usize) -> FieldAt {
        FieldAt { field, label: Label::Here }
    }

    /// A field at the entry.
    pub fn entry(field: usize) -> FieldAt {
        FieldAt { field, label: Label::Pre }
    }
}

/// All pointer fields of a vocabulary, and what they lead to.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    /// The fields, by their numbers.
    pub all: &'a [PointerField],
    /// The sort of null and all objects.
    pub obj: SortId,
    /// Null.
    pub null: FunId,
}

impl Fields<'_> {
    /// The relation that a field is seen through.
    pub fn relation(&self, at: FieldAt) -> RelId {
        self.all[at.field].relation.at(at.label)
    }

    /// What a field of an element holds in a model; nothing if that is null.
    pub fn read(self, model: &Structure, at: FieldAt, x: u32) -> Option<u32> {
        self.all[at.field].theory.read(model, self, at, x)
    }

    /// Writes a field of a heap into a structure, in which null has its element; see
    /// [`write`](super::HeapTheory::write).
    ///
    /// # Errors
    /// If the theory of the field does not have this heap, what is in the way.
    pub fn write(
        self,
        out: &mut Structure,
        at: FieldAt,
        next: &dyn Fn(usize, u32) -> u32,
    ) -> Result<(), String> {
        if let Some(edge) = self.all[at.field].edge {
            let (edge, null) = (edge.at(at.label), out.constant(self.null));
            for x in (0..out.size(self.obj)).filter(|x| Some(*x) != null) {
                out.set_rel(edge, &[x, next(at.field, x)], true);
            }
        }
        self.all[at.field].theory.write(out, self, at, next)
    }
}

impl Symbols {
    /// The pointer fields, for their theories.
    pub fn fields(&self) -> Fields<'_> {
        Fields { all: &self.pointers, obj: self.obj, null: self.null }
    }
}

/// Where formulas about pointer fields are made.
#[derive(Debug)]
pub struct HeapLogic<'a> {
    /// The formulas.
    pub arena: &'a mut Arena,
    /// The symbols.
    pub vocabulary: &'a Vocabulary,
    /// The pointer fields among them.
    pub fields: Fields<'a>,
}

impl HeapLogic<'_> {
    /// `x->f == y`: an atom if the words have single steps, else what the field's relation says.
    pub fn load(&mut self, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        match self.fields.all[at.field].edge {
            Some(edge) => self.arena.rel(edge.at(at.label), &[x, y]),
            None => self.successor(at, x, y),
        }
    }

    /// `x->f == y` in terms of the field's relation; see [`load`](super::HeapTheory::load).
    pub fn successor(&mut self, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        self.fields.all[at.field].theory.load(self, at, x, y)
    }

    /// y is reached from x over the field; see [`reach`](super::HeapTheory::reach).
    pub fn reach(&mut self, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        self.fields.all[at.field].theory.reach(self, at, x, y)
    }

    /// As [`reach`](HeapLogic::reach), over this field alone; see [`path`](super::HeapTheory::path).
    pub(crate) fn path(&mut self, at: FieldAt, x: TermId, y: TermId) -> Result<FormulaId, String> {
        self.fields.all[at.field].theory.path(self, at, x, y)
    }

    pub(crate) fn store(&mut self, field: usize, x: TermId, y: TermId) -> Definitions {
        self.fields.all[field].theory.store(self, field, x, y)
    }

    pub(crate) fn forbidden_store(
        &mut self,
        field: usize,
        x: TermId,
        y: TermId,
    ) -> Option<(ErrorKind, FormulaId)> {
        self.fields.all[field].theory.forbidden_store(self, field, x, y)
    }

    pub(crate) fn isolated(&mut self, at: FieldAt, x: TermId) -> FormulaId {
        self.fields.all[at.field].theory.isolated(self, at, x)
    }

    pub(crate) fn axioms(&mut self, at: FieldAt) -> Vec<FormulaId> {
        self.fields.all[at.field].theory.axioms(self, at)
    }

    pub(crate) fn one_step_axioms(&mut self, at: FieldAt) -> Vec<FormulaId> {
        self.fields.all[at.field].theory.one_step_axioms(self, at)
    }

    pub(crate) fn null(&mut self) -> TermId {
        self.arena.constant(self.fields.null)
    }

    /// Paths have one step: what is reached from something that is reached, and is another place, is
    /// null.
    pub(super) fn paths_of_one_step(&mut self, at: FieldAt) -> FormulaId {
        let vars = ["$x", "$y", "$z"].map(|n| self.arena.variable(n, self.fields.obj));
        let [x, y, z] = vars.map(|v| self.arena.var_term(v));
        let null = self.null();
        let (xy, yz) = (self.reach(at, x, y), self.reach(at, y, z));
        let apart = self.arena.ne(x, y);
        let premise = self.arena.and([xy, yz, apart]);
        let (here, end) = (self.arena.eq(y, z), self.arena.eq(z, null));
        let conclusion = self.arena.or([here, end]);
        let body = self.arena.implies(premise, conclusion);
        self.arena.forall(&vars, body)
    }

    /// Nothing but the object itself reaches it, and it reaches nothing but null.
    pub(super) fn alone(&mut self, at: FieldAt, object: TermId) -> FormulaId {
        let var = self.arena.variable("$a", self.fields.obj);
        let any = self.arena.var_term(var);
        let null = self.null();
        let (to, from) = (self.reach(at, any, object), self.reach(at, object, any));
        let (itself, end) = (self.arena.eq(any, object), self.arena.eq(any, null));
        let alone = self.arena.implies(to, itself);
        let ends = self.arena.or([itself, end]);
        let ends = self.arena.implies(from, ends);
        let body = self.arena.and([alone, ends]);
        self.arena.forall(&[var], body)
    }
}
