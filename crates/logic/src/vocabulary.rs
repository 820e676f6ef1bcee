//! Vocabularies: the sorts, functions and relations that formulas talk about.
//!
//! Names are kept as the user wrote them (`struct node *`, `next`), because every formula we print
//! goes back to the user. A symbol has a *kind* where the heap theory gives it a meaning: a pointer
//! field, the null constant, the closure of a field, an order.
//!
//! **Invariants**: ids are handed out in order of declaration and never change their meaning. The
//! first sort is `integer`. Names need not be unique (one `reach` per field is usual), so look
//! symbols up by name only where input is read.

use crate::ids::{FunId, RelId, SortId};

/// A sort: a name for a non-empty set of elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sort {
    /// The type as the user spells it, such as `struct node *`.
    pub name: String,
}

/// What the heap theory knows about a function symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunKind {
    /// Nothing: an uninterpreted function, or a program variable if it has no arguments.
    Plain,
    /// The null pointer of its sort.
    Null,
    /// A field of a structure: a unary partial function, printed `x->f`.
    Field,
    /// Introduced by Skolemisation.
    Skolem,
}

/// A function symbol; a constant is one without arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fun {
    /// The name as the user wrote it.
    pub name: String,
    /// The sorts of the arguments.
    pub args: Vec<SortId>,
    /// The sort of the result.
    pub result: SortId,
    /// What the heap theory knows about it.
    pub kind: FunKind,
    /// Whether a program step may change it.
    pub mutable: bool,
}

/// What the heap theory knows about a relation symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RelKind {
    /// Nothing: an uninterpreted relation.
    Plain,
    /// `R(x, y)`: y is reached from x by zero or more steps over the field.
    Closure {
        /// The field that is iterated.
        field: FunId,
    },
    /// `B(x, y, z)`: z is reached from x over the field, and y lies on the shortest path (ends
    /// included). Unlike the closure it can order the nodes of a cycle.
    Between {
        /// The field that is iterated.
        field: FunId,
    },
    /// `D(x, y)`: y lies in the subtree at the field of x, in a forest whose nodes have this and
    /// other fields for their children.
    Below {
        /// The field that the subtree hangs at.
        field: FunId,
    },
    /// A total order on the elements of one sort, such as "its data is at most".
    Order,
}

impl RelKind {
    /// The field that this relation iterates, if it does.
    pub fn field(self) -> Option<FunId> {
        match self {
            RelKind::Closure { field } | RelKind::Between { field } | RelKind::Below { field } => {
                Some(field)
            }
            RelKind::Plain | RelKind::Order => None,
        }
    }
}

/// A relation symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rel {
    /// The name as the user wrote it.
    pub name: String,
    /// The sorts of the arguments.
    pub args: Vec<SortId>,
    /// What the heap theory knows about it.
    pub kind: RelKind,
    /// Whether a program step may change it.
    pub mutable: bool,
}

/// The symbols that formulas may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vocabulary {
    pub(crate) sorts: Vec<Sort>,
    pub(crate) funs: Vec<Fun>,
    pub(crate) rels: Vec<Rel>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self::new()
    }
}

/// Declarations. Program state (`variable`, `field`, `state_relation`, closures of fields) is
/// mutable; everything else is rigid.
impl Vocabulary {
    /// Forgets all symbols but the first so many functions and relations.
    pub fn truncate(&mut self, funs: usize, rels: usize) {
        self.funs.truncate(funs);
        self.rels.truncate(rels);
    }

    /// A vocabulary that knows the integers and nothing else.
    pub fn new() -> Self {
        let integer = Sort { name: "integer".into() };
        Vocabulary { sorts: vec![integer], funs: Vec::new(), rels: Vec::new() }
    }

    /// Declares an uninterpreted sort.
    pub fn sort(&mut self, name: impl Into<String>) -> SortId {
        self.sorts.push(Sort { name: name.into() });
        SortId(self.sorts.len() as u32 - 1)
    }

    /// Declares a rigid constant.
    pub fn constant(&mut self, name: impl Into<String>, sort: SortId) -> FunId {
        self.declare_fun(name.into(), &[], sort, FunKind::Plain, false)
    }

    /// Declares a program variable: a constant that a step may change.
    pub fn variable(&mut self, name: impl Into<String>, sort: SortId) -> FunId {
        self.declare_fun(name.into(), &[], sort, FunKind::Plain, true)
    }

    /// Declares the null pointer of a sort.
    pub fn null(&mut self, name: impl Into<String>, sort: SortId) -> FunId {
        self.declare_fun(name.into(), &[], sort, FunKind::Null, false)
    }

    /// Declares a field: a partial function that a step may change.
    pub fn field(&mut self, name: impl Into<String>, from: SortId, to: SortId) -> FunId {
        self.declare_fun(name.into(), &[from], to, FunKind::Field, true)
    }

    /// Declares a rigid uninterpreted function.
    pub fn function(&mut self, name: impl Into<String>, args: &[SortId], result: SortId) -> FunId {
        self.declare_fun(name.into(), args, result, FunKind::Plain, false)
    }

    /// Declares a rigid uninterpreted relation.
    pub fn relation(&mut self, name: impl Into<String>, args: &[SortId]) -> RelId {
        self.declare_rel(name.into(), args, RelKind::Plain, false)
    }

    /// Declares an uninterpreted relation that a step may change.
    pub fn state_relation(&mut self, name: impl Into<String>, args: &[SortId]) -> RelId {
        self.declare_rel(name.into(), args, RelKind::Plain, true)
    }

    /// Declares the reflexive transitive closure of a field. Its element sort is the field's
    /// argument sort, which must also be its result sort for [`Vocabulary::check`] to accept it.
    pub fn closure(&mut self, name: impl Into<String>, field: FunId) -> RelId {
        let (node, mutable) = (self.fun(field).args[0], self.fun(field).mutable);
        self.declare_rel(name.into(), &[node, node], RelKind::Closure { field }, mutable)
    }

    /// Declares the betweenness relation of a field, see [`RelKind::Between`].
    pub fn between(&mut self, name: impl Into<String>, field: FunId) -> RelId {
        let (node, mutable) = (self.fun(field).args[0], self.fun(field).mutable);
        self.declare_rel(name.into(), &[node; 3], RelKind::Between { field }, mutable)
    }

    /// Declares what lies in the subtree at a field, see [`RelKind::Below`]; the name lists the
    /// fields of the forest, `{left, right}`.
    pub fn below(&mut self, name: impl Into<String>, field: FunId) -> RelId {
        let (node, mutable) = (self.fun(field).args[0], self.fun(field).mutable);
        self.declare_rel(name.into(), &[node, node], RelKind::Below { field }, mutable)
    }

    /// Declares a rigid total order on a sort.
    pub fn order(&mut self, name: impl Into<String>, sort: SortId) -> RelId {
        self.declare_rel(name.into(), &[sort, sort], RelKind::Order, false)
    }

    pub(crate) fn skolem(&mut self, name: String, args: &[SortId], result: SortId) -> FunId {
        self.declare_fun(name, args, result, FunKind::Skolem, false)
    }

    fn declare_fun(
        &mut self,
        name: String,
        args: &[SortId],
        result: SortId,
        kind: FunKind,
        mutable: bool,
    ) -> FunId {
        let args = args.to_vec();
        self.funs.push(Fun { name, args, result, kind, mutable });
        FunId(self.funs.len() as u32 - 1)
    }

    fn declare_rel(
        &mut self,
        name: String,
        args: &[SortId],
        kind: RelKind,
        mutable: bool,
    ) -> RelId {
        let args = args.to_vec();
        self.rels.push(Rel { name, args, kind, mutable });
        RelId(self.rels.len() as u32 - 1)
    }
}

/// Looking things up.
impl Vocabulary {
    /// The sort with this id.
    pub fn sort_of(&self, id: SortId) -> &Sort {
        &self.sorts[id.index()]
    }

    /// The function symbol with this id.
    pub fn fun(&self, id: FunId) -> &Fun {
        &self.funs[id.index()]
    }

    /// The relation symbol with this id.
    pub fn rel(&self, id: RelId) -> &Rel {
        &self.rels[id.index()]
    }

    /// All sorts in order of declaration, the integers first.
    pub fn sorts(&self) -> impl ExactSizeIterator<Item = SortId> + use<> {
        (0..self.sorts.len() as u32).map(SortId)
    }

    /// All function symbols in order of declaration.
    pub fn funs(&self) -> impl ExactSizeIterator<Item = FunId> + use<> {
        (0..self.funs.len() as u32).map(FunId)
    }

    /// All relation symbols in order of declaration.
    pub fn rels(&self) -> impl ExactSizeIterator<Item = RelId> + use<> {
        (0..self.rels.len() as u32).map(RelId)
    }

    /// The first sort with this name.
    pub fn find_sort(&self, name: &str) -> Option<SortId> {
        self.sorts().find(|&s| self.sort_of(s).name == name)
    }

    /// The first function symbol with this name.
    pub fn find_fun(&self, name: &str) -> Option<FunId> {
        self.funs().find(|&f| self.fun(f).name == name)
    }

    /// The first relation symbol with this name.
    pub fn find_rel(&self, name: &str) -> Option<RelId> {
        self.rels().find(|&r| self.rel(r).name == name)
    }

    /// The closure that was declared for a field.
    pub fn closure_of(&self, field: FunId) -> Option<RelId> {
        self.rels().find(|&r| self.rel(r).kind == RelKind::Closure { field })
    }

    /// The null constant of a sort.
    pub fn null_of(&self, sort: SortId) -> Option<FunId> {
        self.funs().find(|&f| self.fun(f).kind == FunKind::Null && self.fun(f).result == sort)
    }

    /// A name that no symbol bears yet: `base`, or else `base_1`, `base_2`, ….
    pub fn fresh_name(&self, base: &str) -> String {
        let taken = |name: &str| self.find_fun(name).is_some() || self.find_rel(name).is_some();
        if !taken(base) {
            return base.to_string();
        }
        let mut number = 1;
        loop {
            let name = format!("{base}_{number}");
            if !taken(&name) {
                return name;
            }
            number += 1;
        }
    }

    /// Checks that the kinds of the symbols make sense; the error names the first that does not.
    pub fn check(&self) -> Result<(), String> {
        for fun in &self.funs {
            if fun.kind == FunKind::Field && fun.args.len() != 1 {
                return Err(format!("the field `{}` does not have one argument", fun.name));
            }
            if fun.kind == FunKind::Null && !fun.args.is_empty() {
                return Err(format!("the null constant `{}` has arguments", fun.name));
            }
        }
        for rel in &self.rels {
            if let Some(field) = rel.kind.field() {
                let field = self.fun(field);
                if field.kind != FunKind::Field || field.args[0] != field.result {
                    return Err(format!(
                        "`{}` iterates `{}`, which is not a field from a sort to itself",
                        rel.name, field.name
                    ));
                }
            }
        }
        Ok(())
    }
}
