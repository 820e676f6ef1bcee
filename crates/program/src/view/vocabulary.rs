//! The symbols of a procedure, with the way back from each to the program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trellis_logic::{FunId, RelId, SortId, Vocabulary};

use super::Untranslatable;
use super::in_use::InUse;
use super::moves;
use super::spots::{Spot, Spots};
use crate::ir::{ProcId, Program, Reg, Storage, VarId};
use crate::spec::{Label, PredId, Predicate, Sort};
use crate::types::{IntKind, Scalar, TypeId};

/// A symbol of the current state, with its copy that keeps the state at procedure entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twin<T> {
    /// Now.
    pub now: T,
    /// At procedure entry; the same symbol where there is no difference.
    pub entry: T,
}

impl<T: Copy> Twin<T> {
    /// The symbol for a state.
    pub fn at(self, label: Label) -> T {
        match label {
            Label::Here => self.now,
            Label::Pre => self.entry,
        }
    }
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An integer.
    Int,
    /// A pointer, always to this spot of its object.
    Ptr(Spot),
}

/// A variable of the program in the logic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegSymbol {
    /// A constant that steps change.
    pub fun: Twin<FunId>,
    /// What it holds.
    pub kind: Kind,
}

/// What is stored in a cell, as far as a load can tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CellKind {
    /// Any pointer.
    Ptr,
    /// An integer read as this kind.
    Int(IntKind),
}

impl CellKind {
    pub(super) fn of(scalar: Scalar) -> Option<CellKind> {
        match scalar {
            Scalar::Ptr(_) => Some(CellKind::Ptr),
            Scalar::Int(kind) => Some(CellKind::Int(kind)),
            Scalar::Float(_) => None,
        }
    }
}

/// A cell of the objects of a family: what a field is in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// Which family.
    pub family: usize,
    /// Its position in the family.
    pub at: i64,
    /// How it is read.
    pub kind: CellKind,
}

/// A field of the program in the logic.
#[derive(Clone, Debug)]
pub struct FieldSymbol {
    /// A function that steps change.
    pub fun: Twin<FunId>,
    /// What it yields.
    pub kind: Kind,
    /// `reach` over it, where it leads back into its own family.
    pub closure: Option<Twin<RelId>>,
    /// The type that loads read.
    pub scalar: Scalar,
    /// The types of objects that have this cell.
    pub roots: BTreeSet<TypeId>,
}

/// The vocabulary of a procedure; see the [module](super) for what each symbol means.
#[derive(Clone, Debug)]
pub struct ProgramVocabulary {
    /// The symbols.
    pub logic: Arc<Vocabulary>,
    /// Whose variables these are.
    pub proc: ProcId,
    /// The sort of null and all objects.
    pub obj: SortId,
    /// `NULL`.
    pub null: FunId,
    /// A constant that denotes nothing in the structure of any state; in formulas it stands for
    /// what contracts leave undefined though the logic would define it (`&p->f` of null).
    pub undefined: FunId,
    /// The allocated objects.
    pub alloc: Twin<RelId>,
    /// `\result`, of procedures that return a scalar.
    pub result: Option<RegSymbol>,
    pub(super) regs: BTreeMap<Reg, Result<RegSymbol, String>>,
    pub(super) addresses: BTreeMap<Reg, (FunId, TypeId)>,
    pub(super) cells: BTreeMap<Cell, Result<FieldSymbol, String>>,
    pub(super) types: BTreeMap<TypeId, RelId>,
    pub(super) marks: BTreeMap<PredId, RelId>,
    pub(super) spots: Spots,
    pub(super) used: InUse,
    pub(super) predicates: Vec<Predicate>,
    pub(super) params: usize,
    /// Constants that have a value in every structure.
    pub(super) sure: BTreeSet<FunId>,
    /// Pairs of types where the second lies in the first.
    pub(super) embedded: BTreeSet<(TypeId, TypeId)>,
    /// Whether pointers without a type may lead to objects of types not in use.
    pub(super) loose: bool,
}

/// Objects with more cells than this show none of them.
const MOST_CELLS: usize = 64;

/// The vocabulary of a procedure and of what it calls.
pub fn vocabulary(program: &Program, proc: ProcId) -> ProgramVocabulary {
    let used = InUse::new(program, proc);
    let spots = Spots::new(&program.types, &used);
    let mut logic = Vocabulary::new();
    let mut targets = used.targets.iter();
    let sort = match (targets.next(), targets.next()) {
        (Some(only), None) if used.roots.len() == 1 => format!("{} *", program.types.name(*only)),
        _ => "obj".to_string(),
    };
    let obj = logic.sort(sort);
    let null = logic.null("NULL", obj);
    let undefined = logic.constant("\\undefined", obj);
    let alloc = Twin {
        now: logic.state_relation("alloc", &[obj]),
        entry: logic.relation("\\old(alloc)", &[obj]),
    };
    let mut builder = Builder { program, proc, logic, obj, used, spots, sure: BTreeSet::new() };
    builder.sure.insert(null);
    let regs = builder.regs();
    let addresses = builder.addresses();
    let result = builder.result();
    let cells = builder.cells();
    let fields = cells.values().flatten().map(|f| f.kind);
    let variables = regs.values().flatten().chain(&result).map(|r| r.kind);
    let loose = fields.chain(variables).any(|k| k == Kind::Ptr(Spot::Start));
    let types = builder.types(loose);
    let marks = builder.marks();
    let Builder { logic, used, spots, sure, .. } = builder;
    let embedded = super::formula::embedded(&program.types, &used);
    let mut vocabulary = ProgramVocabulary {
        logic: Arc::new(logic),
        proc,
        obj,
        null,
        undefined,
        alloc,
        result,
        regs,
        addresses,
        cells,
        types,
        marks,
        spots,
        used,
        predicates: program.predicates.clone(),
        params: program.proc(proc).params,
        sure,
        embedded,
        loose,
    };
    moves::refuse_moved(program, &mut vocabulary);
    vocabulary
}

struct Builder<'a> {
    program: &'a Program,
    proc: ProcId,
    logic: Vocabulary,
    obj: SortId,
    used: InUse,
    spots: Spots,
    sure: BTreeSet<FunId>,
}

impl Builder<'_> {
    fn kind(&self, ty: TypeId) -> Option<Result<Kind, String>> {
        match self.program.types.scalar(ty)? {
            Scalar::Int(_) => Some(Ok(Kind::Int)),
            Scalar::Ptr(to) => Some(self.spots.of_pointer(&self.used, to).map(Kind::Ptr)),
            Scalar::Float(_) => None,
        }
    }

    fn sort(&self, kind: Kind) -> SortId {
        match kind {
            Kind::Int => SortId::INT,
            Kind::Ptr(_) => self.obj,
        }
    }

    /// All variables that the procedure sees, globals first.
    fn variables(&self) -> Vec<(Reg, String, TypeId, Storage)> {
        let globals = self.program.globals.iter().enumerate();
        let globals = globals.map(|(i, g)| {
            (Reg::Global(crate::ir::GlobalId(i as u32)), g.name.clone(), g.ty, g.storage)
        });
        let locals = self.program.proc(self.proc).vars.iter().enumerate();
        let locals = locals
            .map(|(i, v)| (Reg::Local(VarId(i as u32)), v.name.clone(), v.ty, v.storage));
        globals.chain(locals).collect()
    }

    fn regs(&mut self) -> BTreeMap<Reg, Result<RegSymbol, String>> {
        let params = self.program.proc(self.proc).params;
        let mut regs = BTreeMap::new();
        for (reg, name, ty, storage) in self.variables() {
            let is_param = matches!(reg, Reg::Local(v) if (v.0 as usize) < params);
            // Of a parameter in memory only its value at entry is a variable.
            if storage == Storage::Object && !is_param {
                continue;
            }
            let kind = match self.kind(ty) {
                None => continue,
                Some(Err(reason)) => {
                    regs.insert(reg, Err(reason));
                    continue;
                }
                Some(Ok(kind)) => kind,
            };
            let sort = self.sort(kind);
            let kept = is_param || matches!(reg, Reg::Global(_));
            let entry = kept.then(|| self.logic.constant(format!("\\old({name})"), sort));
            let now = match (storage, entry) {
                (Storage::Object, Some(entry)) => entry,
                _ => self.logic.variable(name, sort),
            };
            let fun = Twin { now, entry: entry.unwrap_or(now) };
            if kept {
                self.sure.extend([fun.now, fun.entry]);
            }
            regs.insert(reg, Ok(RegSymbol { fun, kind }));
        }
        regs
    }

    fn addresses(&mut self) -> BTreeMap<Reg, (FunId, TypeId)> {
        let mut addresses = BTreeMap::new();
        for (reg, name, ty, storage) in self.variables() {
            if storage == Storage::Object && self.spots.of_object(ty).is_some() {
                let name = format!("&{name}");
                let fun = match reg {
                    Reg::Global(_) => self.logic.constant(name, self.obj),
                    Reg::Local(_) => self.logic.variable(name, self.obj),
                };
                if matches!(reg, Reg::Global(_)) {
                    self.sure.insert(fun);
                }
                addresses.insert(reg, (fun, ty));
            }
        }
        addresses
    }

    fn result(&mut self) -> Option<RegSymbol> {
        let kind = self.kind(self.program.proc(self.proc).ret)?.ok()?;
        let fun = self.logic.variable("\\result", self.sort(kind));
        self.sure.insert(fun);
        Some(RegSymbol { fun: Twin { now: fun, entry: fun }, kind })
    }

    fn cells(&mut self) -> BTreeMap<Cell, Result<FieldSymbol, String>> {
        // The smallest type that has a cell names it: `next`, not `link.next`.
        let mut rows = Vec::new();
        for (family, members) in self.spots.families.iter().enumerate() {
            for root in members.roots.iter().filter(|_| members.refused.is_none()) {
                let Some(layout) = self.program.types.layout(root.ty) else { continue };
                for cell in layout.cells.iter().filter(|_| layout.cells.len() <= MOST_CELLS) {
                    let Some(kind) = CellKind::of(cell.scalar) else { continue };
                    let at = root.position + i64::from(cell.offset);
                    rows.push((root.size, Cell { family, at, kind }, root.ty, cell));
                }
            }
        }
        rows.sort_by_key(|(size, cell, ty, _)| (cell.family, *size, *ty, *cell));
        let mut cells: BTreeMap<Cell, Result<FieldSymbol, String>> = BTreeMap::new();
        for (_, key, ty, cell) in rows {
            let kind = match cell.scalar {
                Scalar::Ptr(to) => self.spots.of_pointer(&self.used, to).map(Kind::Ptr),
                _ => Ok(Kind::Int),
            };
            match cells.get_mut(&key) {
                Some(Ok(field)) if kind == Ok(field.kind) => {
                    field.roots.insert(ty);
                }
                Some(entry) => {
                    let path = &cell.path;
                    *entry = Err(format!("`{path}` has different types in different objects"));
                }
                None => {
                    let symbol = kind.map(|kind| self.field(&cell.path, key, kind, cell.scalar, ty));
                    cells.insert(key, symbol);
                }
            }
        }
        cells
    }

    fn field(
        &mut self,
        path: &str,
        key: Cell,
        kind: Kind,
        scalar: Scalar,
        root: TypeId,
    ) -> FieldSymbol {
        let name = if path.is_empty() { "value" } else { path };
        let (obj, sort) = (self.obj, self.sort(kind));
        let now = self.logic.field(name, obj, sort);
        let entry = self.logic.field(format!("\\old({name})"), obj, sort);
        let closure = matches!(kind, Kind::Ptr(Spot::At { family, .. }) if family == key.family)
            .then(|| Twin {
                now: self.logic.closure("reach", now),
                entry: self.logic.closure("reach", entry),
            });
        let roots = BTreeSet::from([root]);
        FieldSymbol { fun: Twin { now, entry }, kind, closure, scalar, roots }
    }

    /// With one type of objects there is nothing to tell apart, unless pointers without a type
    /// may lead to others.
    fn types(&mut self, loose: bool) -> BTreeMap<TypeId, RelId> {
        let roots: Vec<TypeId> = self.used.roots.iter().copied().collect();
        if roots.len() < 2 && !loose {
            return BTreeMap::new();
        }
        let mut types = BTreeMap::new();
        for ty in roots {
            let name = self.program.types.name(ty);
            let name = name.trim_start_matches("struct ").trim_start_matches("union ");
            let rel = self.logic.relation(format!("is_{name}"), &[self.obj]);
            types.insert(ty, rel);
        }
        types
    }

    fn marks(&mut self) -> BTreeMap<PredId, RelId> {
        /// As many as the interpreter keeps.
        const MOST_MARKS: usize = 32;
        let mut marks = BTreeMap::new();
        for (i, p) in self.program.predicates.iter().enumerate().take(MOST_MARKS) {
            let unary = matches!(&p.params[..], [b] if matches!(b.sort, Sort::Ptr(_)));
            if p.body.is_none() && unary {
                let rel = self.logic.relation(p.name.clone(), &[self.obj]);
                marks.insert(PredId(i as u32), rel);
            }
        }
        marks
    }
}

/// From the program to symbols, and back.
impl ProgramVocabulary {
    /// The symbol of a variable in a register; of a parameter in memory, its value at entry.
    pub fn reg(&self, reg: Reg) -> Result<RegSymbol, Untranslatable> {
        match self.regs.get(&reg) {
            Some(Ok(symbol)) => Ok(*symbol),
            Some(Err(reason)) => Err(Untranslatable::new(reason.clone())),
            None => Err(Untranslatable::new("a variable that the logic does not have")),
        }
    }

    /// The constant for the address of a variable in memory.
    pub fn address(&self, reg: Reg) -> Option<FunId> {
        self.addresses.get(&reg).map(|(fun, _)| *fun)
    }

    /// The symbol of the field at a byte offset in a type that is pointed to.
    pub fn field(
        &self,
        owner: TypeId,
        offset: u32,
        scalar: Scalar,
    ) -> Result<&FieldSymbol, Untranslatable> {
        let Spot::At { family, at } = self.pointee(owner)? else {
            return Err(Untranslatable::new("a field of an unknown type"));
        };
        self.cell(family, at + i64::from(offset), scalar)
    }

    pub(super) fn cell(
        &self,
        family: usize,
        at: i64,
        scalar: Scalar,
    ) -> Result<&FieldSymbol, Untranslatable> {
        if let Some(reason) = &self.spots.families[family].refused {
            return Err(Untranslatable::new(reason.clone()));
        }
        let kind = CellKind::of(scalar)
            .ok_or_else(|| Untranslatable::new("floating-point numbers"))?;
        match self.cells.get(&Cell { family, at, kind }) {
            Some(Ok(field)) => Ok(field),
            Some(Err(reason)) => Err(Untranslatable::new(reason.clone())),
            None => Err(Untranslatable::new("memory read as another type than it has")),
        }
    }

    /// Where pointers to a type point.
    pub fn pointee(&self, ty: TypeId) -> Result<Spot, Untranslatable> {
        self.spots.of_pointer(&self.used, ty).map_err(Untranslatable::new)
    }

    /// The relation that tells the objects of a type from others; none if all have that type.
    /// It never changes: an object has its type from the start.
    pub fn type_relation(&self, ty: TypeId) -> Option<RelId> {
        self.types.get(&ty).copied()
    }

    /// The relation of an uninterpreted predicate.
    pub fn mark(&self, id: PredId) -> Option<RelId> {
        self.marks.get(&id).copied()
    }

    /// All variables with a symbol.
    pub fn regs(&self) -> impl Iterator<Item = (Reg, RegSymbol)> {
        self.regs.iter().filter_map(|(r, s)| Some((*r, *s.as_ref().ok()?)))
    }

    /// The variables and fields without a symbol, and why.
    pub fn refused(&self) -> impl Iterator<Item = (Reg, &str)> {
        self.regs.iter().filter_map(|(r, s)| Some((*r, s.as_ref().err()?.as_str())))
    }

    /// All fields with a symbol.
    pub fn fields(&self) -> impl Iterator<Item = (Cell, &FieldSymbol)> {
        self.cells.iter().filter_map(|(c, f)| Some((*c, f.as_ref().ok()?)))
    }

    /// The variable that a constant stands for, and in which state.
    pub fn reg_of(&self, fun: FunId) -> Option<(Reg, Label)> {
        self.regs().find_map(|(reg, s)| Some((reg, label_of(s.fun, fun)?)))
    }

    /// The field that a function stands for, and in which state.
    pub fn field_of(&self, fun: FunId) -> Option<(Cell, Label)> {
        self.fields().find_map(|(cell, s)| Some((cell, label_of(s.fun, fun)?)))
    }
}

fn label_of(twin: Twin<FunId>, fun: FunId) -> Option<Label> {
    if twin.now == fun {
        return Some(Label::Here);
    }
    (twin.entry == fun).then_some(Label::Pre)
}
