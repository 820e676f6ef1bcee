//! Declares the symbols of a transition system.
//!
//! **Invariant.** Nothing here knows what a pointer field is seen through; its theory declares that.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{FunId, RelId, Vocabulary};
use trellis_program::view::{Cell, Kind, ProgramVocabulary, Twin};
use trellis_program::{Program, Reg, Storage, TypeId};

use super::changes::Changes;
use super::classes::{Classes, IntClass};
use super::{DataField, Flag, PointerField, RegSymbol, Symbols, followed, unions};
use crate::system::Words;
use crate::theory::{Purpose, theory_of};

/// How contracts see the fields.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Those that lead to the children of trees, together.
    pub(crate) sets: Vec<Vec<Cell>>,
    /// Those that are seen one step at a time.
    pub(crate) single: BTreeSet<Cell>,
    /// Those of which nobody speaks.
    pub(crate) idle: BTreeSet<Cell>,
    /// Those that may have cycles at the entry.
    pub(crate) cyclic: BTreeSet<Cell>,
}

impl Symbols {
    /// Declares everything in `logic`.
    pub(crate) fn declare(
        program: &Program,
        view: &ProgramVocabulary,
        classes: &Classes,
        changes: &Changes,
        seen: (Purpose, &Seen),
        words: Words,
        logic: &mut Vocabulary,
    ) -> Symbols {
        let obj = logic.sort(view.logic.sort_of(view.obj).name.clone());
        let data = logic.sort("int");
        let at_most = logic.order("<=", data);
        let null = logic.null("NULL", obj);
        let alloc = logic.state_relation("alloc", &[obj]);
        let alloc_entry = match changes.alloc || changes.free {
            true => logic.relation("\\old(alloc)", &[obj]),
            false => alloc,
        };
        let mut symbols = Symbols {
            view: view.clone(),
            obj,
            data,
            at_most,
            null,
            alloc: Twin { now: alloc, entry: alloc_entry },
            pointers: Vec::new(),
            integers: Vec::new(),
            regs: BTreeMap::new(),
            unset: BTreeMap::new(),
            addresses: BTreeMap::new(),
            result: None,
            marks: BTreeMap::new(),
            types: BTreeMap::new(),
            constants: BTreeMap::new(),
            held: Vec::new(),
            hidden: &unions(program, view) | &seen.1.idle,
        };
        symbols.declare_fields(classes, changes, seen, words, logic);
        symbols.declare_variables(program, classes, changes, logic);
        let params = program.proc(view.proc).params;
        let is_given = |reg: &Reg| match reg {
            Reg::Local(v) => (v.0 as usize) < params,
            Reg::Global(_) => true,
        };
        let given: Vec<Reg> = symbols.regs.keys().copied().filter(is_given).collect();
        symbols.declare_held(&given, logic);
        for (ty, rel) in view.object_types().filter_map(|t| Some((t, view.type_relation(t)?))) {
            let rel = logic.relation(view.logic.rel(rel).name.clone(), &[obj]);
            symbols.types.insert(ty, rel);
        }
        for (i, p) in program.predicates.iter().enumerate() {
            if let Some(mark) = view.mark(trellis_program::spec::PredId(i as u32)) {
                symbols.marks.insert(mark, logic.relation(p.name.clone(), &[obj]));
            }
        }
        symbols
    }

    pub(super) fn declare_fields(
        &mut self,
        classes: &Classes,
        changes: &Changes,
        seen: (Purpose, &Seen),
        words: Words,
        logic: &mut Vocabulary,
    ) {
        let (purpose, Seen { sets, single, cyclic, .. }) = seen;
        let view = self.view.clone();
        let hidden = self.hidden.clone();
        let seen = |cell: &Cell| changes.mentions(*cell) && !hidden.contains(cell);
        let name_of = |cell: &Cell| {
            let field = view.fields().find(|(c, _)| c == cell);
            field.map_or("", |(_, f)| view.logic.fun(f.fun.now).name.as_str())
        };
        let list = |set: &Vec<Cell>| {
            let names: Vec<&str> = set.iter().map(name_of).collect();
            format!("{{{}}}", names.join(", "))
        };
        let lists: Vec<String> = sets.iter().map(list).collect();
        let reaches: Vec<RelId> = match purpose {
            Purpose::Paths => Vec::new(),
            Purpose::Entry => lists
                .iter()
                .map(|names| logic.state_relation(format!("reach({names})"), &[self.obj; 2]))
                .collect(),
        };
        for (cell, field) in view.fields().filter(|(cell, _)| seen(cell)) {
            let name = view.logic.fun(field.fun.now).name.clone();
            let roots: Vec<TypeId> = field.roots.iter().copied().collect();
            let set = sets.iter().position(|set| set.contains(&cell));
            let (changed, stored) = (changes.writes(cell), changes.stores(cell));
            // What lies below a node depends on all fields of the set.
            let changed = match set {
                Some(set) => sets[set].iter().any(|cell| changes.writes(*cell)),
                None => changed,
            };
            let undefined = logic.state_relation(format!("undefined_{name}"), &[self.obj]);
            match field.kind {
                Kind::Ptr(_) => {
                    let single = single.contains(&cell);
                    let cyclic = cyclic.contains(&cell);
                    let followed = followed(set.is_some(), single, cyclic);
                    let theory = theory_of(field.kind, followed, purpose);
                    let obj = self.obj;
                    let names = set.map_or("", |set| lists[set].as_str());
                    let relation =
                        twin(&name, changed, |name| theory.declare(logic, obj, name, names));
                    let reach = set.and_then(|set| reaches.get(set)).copied();
                    let beside = (words == Words::Edges || theory.needs_edges())
                        && theory.edge_rules().is_some();
                    let edge = beside.then(|| {
                        twin(&name, changed, |name| logic.state_relation(name, &[obj, obj]))
                    });
                    let recursive = field.closure.is_some();
                    let kind = field.kind;
                    let changes = changed;
                    let field = PointerField {
                        cell,
                        name,
                        theory,
                        relation,
                        set,
                        single,
                        cyclic,
                        reach,
                        edge,
                        undefined,
                        recursive,
                        kind,
                        roots,
                        changes,
                        stored,
                    };
                    self.pointers.push(field);
                }
                Kind::Int => {
                    let class = classes.of_field(field.fun.now);
                    let now = self.declare_integer(&name, class, logic);
                    let entry = match changed {
                        true => self.declare_integer(&format!("\\old({name})"), class, logic),
                        false => now,
                    };
                    let changes = changed;
                    let field = DataField { cell, name, now, entry, undefined, roots, changes };
                    self.integers.push(field);
                }
            }
        }
    }

    pub(super) fn declare_integer(
        &self,
        name: &str,
        class: IntClass,
        logic: &mut Vocabulary,
    ) -> Flag<FunId> {
        match class {
            IntClass::Truth => Flag::Truth(logic.state_relation(name, &[self.obj])),
            IntClass::Data => Flag::Data(logic.field(name, self.obj, self.data)),
        }
    }

    pub(super) fn declare_variables(
        &mut self,
        program: &Program,
        classes: &Classes,
        changes: &Changes,
        logic: &mut Vocabulary,
    ) {
        let view = self.view.clone();
        for (reg, symbol) in view.regs() {
            let name = program.reg_name(view.proc, reg);
            let class = classes.of_reg(reg);
            let now = self.declare_variable(name, symbol.kind, class, logic);
            let has_entry = match reg {
                Reg::Global(_) => true,
                Reg::Local(v) => (v.0 as usize) < program.proc(view.proc).params,
            };
            let entry = match has_entry && changes.assigns(reg) {
                true => self.declare_variable(&format!("\\old({name})"), symbol.kind, class, logic),
                false => now,
            };
            self.regs.insert(reg, Twin { now, entry });
            if !has_entry && storage(program, &view, reg) == Storage::Register {
                self.unset.insert(reg, logic.state_relation(format!("unset_{name}"), &[]));
            }
        }
        for (reg, _, ty) in view.addresses() {
            let name = format!("&{}", program.reg_name(view.proc, reg));
            self.addresses.insert(reg, (logic.variable(name, self.obj), ty));
        }
        if let Some(result) = view.result {
            let class = classes.of_result();
            self.result = Some(self.declare_variable("\\result", result.kind, class, logic));
        }
    }

    pub(super) fn declare_variable(
        &self,
        name: &str,
        kind: Kind,
        class: IntClass,
        logic: &mut Vocabulary,
    ) -> RegSymbol {
        match (kind, class) {
            (Kind::Ptr(_), _) => RegSymbol::Ptr(logic.variable(name, self.obj)),
            (Kind::Int, IntClass::Data) => {
                RegSymbol::Int(Flag::Data(logic.variable(name, self.data)))
            }
            (Kind::Int, IntClass::Truth) => {
                RegSymbol::Int(Flag::Truth(logic.state_relation(name, &[])))
            }
        }
    }
}

/// A symbol of a field, and its copy of the entry if the code changes the field.
fn twin<T: Copy>(name: &str, changed: bool, mut declare: impl FnMut(String) -> T) -> Twin<T> {
    let now = declare(name.to_owned());
    let entry = if changed { declare(format!("\\old({name})")) } else { now };
    Twin { now, entry }
}

fn storage(program: &Program, view: &ProgramVocabulary, reg: Reg) -> Storage {
    match reg {
        Reg::Local(v) => program.proc(view.proc).var(v).storage,
        Reg::Global(g) => program.global(g).storage,
    }
}
