//! What a user can add to a precondition that allows heaps which no theory of the paths has.
//!
//! **Invariant.** The object that is named can be one of those that were found: whoever already says
//! of `a` that it ends is told about `b`. And it can be there with what is to be added: whoever says
//! that a list is cyclic is not told to deny it. Where nothing is said of any of several fields that
//! lead on ([`links`]), the usual structure is a tree.

use trellis_logic::{FormulaId, TermId, VarId};
use trellis_program::arguments::links;
use trellis_program::spec::Formula;
use trellis_program::view::{Kind, Spot};
use trellis_program::{Reg, TypeId};

use super::entry_heap::Asker;
use crate::symbols::RegSymbol;
use crate::theory::{FieldAt, Purpose, theory_of};

/// Whether a contract can follow fields from a pointer of a kind.
fn is_typed(kind: Kind) -> bool {
    matches!(kind, Kind::Ptr(Spot::At { .. }))
}

impl Asker<'_> {
    /// What to add so that no object `x` that is reached satisfies a formula about a field.
    pub(super) fn cure(&mut self, field: usize, (x, stray): (VarId, FormulaId)) -> Option<String> {
        // Whether it can be at a place behind a root, one of many or not; and if so, whether there is
        // a cure.
        let here = |asker: &mut Self, root: TermId, at: FormulaId, many: bool| {
            let arena = &mut asker.builder.arena;
            let body = arena.and([at, stray]);
            let some = arena.exists(&[x], body);
            let without = match many {
                true => arena.not(some),
                false => {
                    let fine = arena.not(stray);
                    let body = arena.and([at, fine]);
                    arena.exists(&[x], body)
                }
            };
            let there = arena.rel(asker.builder.symbols.alloc.entry, &[root]);
            let cured = arena.and([there, without]);
            asker.is_possible(some).then(|| asker.is_possible(cured))
        };
        let xt = self.builder.arena.var_term(x);
        let variables = self.variables();
        let mut found = Vec::new();
        for (name, root, typed) in &variables {
            let itself = self.builder.arena.eq(xt, *root);
            if self.has(field, *root)
                && let Some(cured) = here(self, *root, itself, false)
            {
                let formula = self.tree(field, name).or_else(|| self.included(field, name));
                found.push(formula.filter(|_| cured && *typed)?);
            }
        }
        if !found.is_empty() {
            return Some(format!("add `requires {};`", found.join(" && ")));
        }
        for (name, root, _) in &variables {
            for over in (0..self.builder.symbols.pointers.len()).filter(|f| *f != field) {
                let pointer = &self.builder.symbols.pointers[over];
                let (over_name, recursive) = (pointer.name.clone(), pointer.recursive);
                let typed = is_typed(pointer.kind);
                if !self.has(over, *root) {
                    continue;
                }
                let at = match recursive {
                    true => self.builder.heap().reach(FieldAt::entry(over), *root, xt),
                    false => self.builder.heap().successor(FieldAt::entry(over), *root, xt),
                };
                if let Some(cured) = here(self, *root, at, recursive) {
                    let cure = self.behind(field, name, &over_name, recursive);
                    return cure.filter(|_| cured && typed);
                }
            }
        }
        None
    }

    /// The same for the objects that a variable leads to over another field.
    fn behind(&self, field: usize, name: &str, over: &str, recursive: bool) -> Option<String> {
        if !recursive {
            let held = format!("{name}->{over}");
            let formula = self.tree(field, &held).or_else(|| self.included(field, &held))?;
            return Some(format!("add `requires {formula};`"));
        }
        let ty = self.builder.symbols.pointers[field].roots.first()?;
        let ty = self.builder.program.types.name(*ty);
        let ends = self.included(field, "x")?;
        Some(format!("add `requires \\forall {ty} *x; reach({over}, {name}, x) ==> {ends};`"))
    }

    /// That a pointer leads to a tree, if its objects have several fields that lead on, this one among
    /// them, and the contract speaks of none.
    fn tree(&self, field: usize, object: &str) -> Option<String> {
        let pointer = &self.builder.symbols.pointers[field];
        let ty: TypeId = *pointer.roots.first()?;
        let fields = links(self.builder.program, ty);
        let names: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
        if names.len() < 2 || !names.contains(&pointer.name.as_str()) {
            return None;
        }
        let mut said = false;
        let contract = &self.builder.program.proc(self.builder.view().proc).contract;
        for clause in &contract.requires {
            clause.formula.visit(
                &mut |f| {
                    said |= !matches!(f, Formula::Const(_) | Formula::Cmp(..) | Formula::And(_))
                },
                &mut |_| {},
            );
        }
        (!said).then(|| format!("tree({}, {object})", names.join(", ")))
    }

    fn included(&self, field: usize, object: &str) -> Option<String> {
        let fields = self.builder.symbols.fields();
        let of = &fields.all[field];
        theory_of(of.kind, of.followed(), Purpose::Paths).included(fields, field, object)
    }

    /// The pointers that the procedure is given, with their names, and whether they are of a type
    /// whose fields a contract can follow.
    fn variables(&mut self) -> Vec<(String, TermId, bool)> {
        let builder = &mut self.builder;
        let given: Vec<(Reg, _)> =
            builder.symbols.regs.iter().map(|(r, t)| (*r, t.entry)).collect();
        let proc = builder.view().proc;
        let pointers = given.into_iter().filter_map(|(reg, symbol)| match symbol {
            RegSymbol::Ptr(fun) if builder.is_given(reg) => {
                let typed = builder.view().reg(reg).is_ok_and(|r| is_typed(r.kind));
                Some((builder.program.reg_name(proc, reg).to_owned(), fun, typed))
            }
            _ => None,
        });
        let pointers: Vec<_> = pointers.collect();
        let arena = &mut builder.arena;
        pointers.into_iter().map(|(name, fun, typed)| (name, arena.constant(fun), typed)).collect()
    }

    /// Whether an object may have a field.
    fn has(&mut self, field: usize, root: TermId) -> bool {
        let builder = &mut self.builder;
        let roots = builder.symbols.pointers[field].roots.clone();
        let has = builder.has_field(&roots, root);
        let there = builder.arena.rel(builder.symbols.alloc.entry, &[root]);
        let both = builder.arena.and([there, has]);
        self.is_possible(both)
    }

    /// Whether the precondition allows it; what cannot be asked is not said to anyone.
    fn is_possible(&mut self, formula: FormulaId) -> bool {
        self.is_impossible(formula).is_ok_and(|never| !never)
    }
}
