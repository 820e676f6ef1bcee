//! Linking: names that several translation units declare mean one thing, as C says.
//!
//! A name with external linkage is looked up among those of the units before; a `static` one is
//! never seen by another unit. A struct that two units define with the same tag and the same members
//! is one type; C calls such types compatible, and here they have one number. Untagged structs are
//! matched in the order in which they stand.
//!
//! **Invariant.** What two units say of one name agrees, or there is an error with both places. A
//! model never makes an error: where it does not fit, it is not used.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::source::{Diagnostic, Span};
use trellis_program::types::{RecordId, Type, TypeId};

use super::Lower;
use super::declarator::Signature;
use super::records::Members;
use super::scope::{Symbol, Tag};

/// Which of the types that units before have called by one tag a unit means, by the number of the
/// unit and the tag; the first, if nothing is said.
pub type ToldApart = BTreeMap<(usize, String), usize>;

/// What other units may mean, too.
#[derive(Debug, Default)]
pub struct Shared {
    /// Functions and variables with external linkage.
    pub names: BTreeMap<String, Symbol>,
    /// Structs (`false`) and unions of a tag, in the order of their units.
    tags: BTreeMap<(String, bool), Vec<RecordId>>,
    /// Records without a tag, with their units.
    nameless: Vec<(usize, RecordId)>,
    /// Those of other units that this one has met.
    met: BTreeSet<RecordId>,
}

impl Lower<'_> {
    /// From here on names are those of a unit.
    pub fn enter_unit(&mut self, unit: usize) {
        if unit != self.unit {
            std::mem::swap(&mut self.scopes, &mut self.unit_scopes[self.unit]);
            std::mem::swap(&mut self.scopes, &mut self.unit_scopes[unit]);
            self.unit = unit;
            self.shared.met.clear();
        }
    }

    /// Whether the unit is a model.
    pub fn is_model(&self) -> bool {
        self.whole.units[self.unit].wanted.is_some()
    }

    /// The record that a tag of this unit means because another unit has declared it.
    pub fn linked_tag(&mut self, tag: &str, is_union: bool) -> Option<Tag> {
        if self.scopes.depth() > 0 {
            return None;
        }
        let others = self.shared.tags.get(&(tag.to_owned(), is_union))?;
        let which = self.told_apart.get(&(self.unit, tag.to_owned())).copied().unwrap_or(0);
        let found = Tag::Record(*others.get(which)?);
        self.scopes.declare_tag(tag, found);
        Some(found)
    }

    /// Lets the units behind this one mean a record by its tag.
    pub fn share_tag(&mut self, tag: &str, is_union: bool, record: RecordId) {
        if self.scopes.depth() == 0 {
            self.shared.tags.entry((tag.to_owned(), is_union)).or_default().push(record);
        }
    }

    /// The record without a tag of another unit that has these members, if there is one.
    pub fn linked_record(&mut self, is_union: bool, members: &Members) -> Option<RecordId> {
        if self.scopes.depth() > 0 {
            return None;
        }
        let found = self.shared.nameless.iter().find(|(unit, r)| {
            *unit != self.unit
                && !self.shared.met.contains(r)
                && self.types.record(*r).is_union == is_union
                && self.has_members(*r, members)
        });
        let record = found?.1;
        self.shared.met.insert(record);
        Some(record)
    }

    /// Lets the units behind this one mean a record without a tag.
    pub fn share_nameless(&mut self, record: RecordId) {
        if self.scopes.depth() == 0 {
            self.shared.nameless.push((self.unit, record));
        }
    }

    /// Whether a complete record has these members.
    pub fn has_members(&self, record: RecordId, members: &Members) -> bool {
        let info = self.records.get(&record);
        self.types.record(record).complete && info.is_some_and(|i| i.members == *members)
    }

    /// What another unit has declared under a name with external linkage.
    pub fn linked(&self, name: &str) -> Option<Symbol> {
        self.shared.names.get(name).copied()
    }

    /// Whether two declarations of a function agree.
    pub fn agree(&self, one: Option<&Signature<'_>>, other: Option<&Signature<'_>>) -> bool {
        let (Some(one), Some(other)) = (one, other) else {
            return true;
        };
        let same_parameters = || {
            one.is_variadic == other.is_variadic
                && one.params.len() == other.params.len()
                && one.params.iter().zip(&other.params).all(|(a, b)| self.compatible(a.ty, b.ty))
        };
        self.compatible(one.ret, other.ret)
            && (!one.has_prototype || !other.has_prototype || same_parameters())
    }

    /// Whether two declarations of a variable agree; an array may be without its length.
    pub fn same_variable(&self, one: TypeId, other: TypeId) -> bool {
        let open = |a: &Type, b: &Type| match (a, b) {
            (Type::Array(a, n), Type::Array(b, m)) => a == b && (*n == 0 || *m == 0),
            _ => false,
        };
        self.compatible(one, other) || open(self.types.get(one), self.types.get(other))
    }

    /// Two units disagree about a name.
    pub fn conflict(&mut self, name: &str, here: Span, there: Span) {
        let error = Diagnostic::error(here, format!("`{name}` has two types"));
        let error =
            error.with_label("declared here").with_related(there, "and with another type here");
        self.diagnostics.push(error);
    }

    /// Two units define a name.
    pub fn defined_twice(&mut self, name: &str, here: Span, there: Span, is_function: bool) {
        let error = Diagnostic::error(here, format!("`{name}` is defined twice"));
        let error = error.with_label("here").with_related(there, "and here");
        let several = self.whole.units.iter().filter(|u| u.wanted.is_none()).count() > 1;
        let help = match (here.file == there.file, is_function) {
            _ if !several => None,
            (false, _) if name == "main" => {
                Some("if each file is a program of its own, say so with `--separately`")
            }
            (true, true) => Some("make it `static` if each file has its own"),
            (false, true) => Some(
                "make it `static` if each file has its own; if each file is a program of its own, \
                 say so with `--separately`",
            ),
            (_, false) => Some("declare it `extern` in all files but one, or `static` in each"),
        };
        self.diagnostics.push(match help {
            Some(help) => error.with_help(help),
            None => error,
        });
    }

    /// Gives what is `static` in one unit and has the name of something else in another one a name
    /// with that of its file behind it, which can be written in heap notation, too.
    pub fn name_apart(&mut self) {
        if self.whole.units.len() < 2 {
            return;
        }
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        let functions = self.functions.iter().map(|f| f.name.as_str());
        for name in functions.chain(self.globals.iter().map(|g| g.name.as_str())) {
            *count.entry(name).or_default() += 1;
        }
        let mut taken: BTreeSet<String> = count.keys().map(|n| (*n).to_owned()).collect();
        let shared: BTreeSet<String> =
            count.iter().filter(|c| *c.1 > 1).map(|c| (*c.0).to_owned()).collect();
        let units = &self.whole.units;
        let mut rename = |name: &str, unit: usize| {
            let stem = units[unit].stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' });
            let plain = format!("{name}__{}", stem.collect::<String>());
            let more = (2..).map(|n| format!("{plain}_{n}"));
            let free = std::iter::once(plain.clone()).chain(more).find(|n| !taken.contains(n));
            let free = free.unwrap_or(plain);
            taken.insert(free.clone());
            free
        };
        for f in self.functions.iter_mut().filter(|f| f.is_static && shared.contains(&f.name)) {
            f.name = rename(&f.name, f.unit);
        }
        for (global, info) in self.globals.iter_mut().zip(&self.global_info) {
            if let Some(unit) = info.static_in
                && shared.contains(&global.name)
            {
                global.name = rename(&global.name, unit);
            }
        }
    }
}
