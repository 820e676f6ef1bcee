//! A machine state over the symbols of a transition system.
//!
//! This is what the invariant's words mean on the machine: `reach(next, x, y)` follows cells,
//! `alloc(x)` asks whether the object lives. It shares no code with the translation of programs and
//! contracts (`view`, `transys`): it reads memory. What cells hold is read here; which relation that
//! makes of a field is what the field's heap theory writes.
//!
//! Element 0 is null, then come the objects by id, but for constants that the logic does not know
//! (string literals, tables of numbers: nobody there points to them), then *spares*: objects that do not exist yet,
//! since quantifiers of the logic range over them too. There are as many of each kind as a clause
//! has variables, so that more would change nothing.
//!
//! **Invariant.** Soundness of the second leg does not depend on what is done here: whatever
//! predicate of states this defines, it is assumed and shown of the same states. A state that has
//! no structure satisfies no invariant.

mod needs;
mod picture;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trellis_logic::measure::SymbolsInUse;
use trellis_logic::{Arena, Formula, FormulaId, Plans, RelId, SortId, Structure, Vocabulary};
use trellis_program::concrete::{Memory, ObjId, PreState, State, Value, mark_sets};
use trellis_program::spec::PredId;
use trellis_program::view::{Cell, CellKind, Spot};
use trellis_program::{GlobalId, InstrKind, IntKind, Program, Reg, Scalar, Storage, TypeId};
use trellis_transys::{Flag, Location, RegSymbol, TransitionSystem};

pub(super) use needs::{Needs, Stale};
use picture::Picture;

/// How states become structures.
pub(super) struct Abstraction<'a> {
    program: &'a Program,
    system: &'a TransitionSystem,
    vocabulary: Arc<Vocabulary>,
    /// Integers that are elements of every structure, in order.
    integers: Vec<i128>,
    /// Elements between two integers, and beside them.
    between: usize,
    /// The objects that do not exist yet: a type and the truth of uninterpreted predicates.
    spares: Vec<(Option<TypeId>, u32)>,
    /// Uninterpreted predicates by number.
    marks: Vec<(u32, RelId)>,
    /// All truth assignments of them at one object.
    pub(super) mark_sets: Vec<u32>,
    /// How to evaluate formulas, found out once each.
    plans: Plans,
    /// Of each field, which cell it is in objects of a type.
    cells: Vec<(Cell, Vec<Option<u32>>)>,
    /// What is known of the formulas that are evaluated.
    facts: BTreeMap<FormulaId, Facts>,
    /// All symbols.
    everything: Needs,
}

/// What is known of a formula, so that nobody has to read it again for every state.
struct Facts {
    used: SymbolsInUse,
    /// How many variables it binds at once: objects, data.
    variables: (usize, usize),
}

/// The structure of a state that changes from look to look: only what is stale is written again.
#[derive(Default)]
pub(super) struct Canvas {
    made: Option<Made>,
    pub(super) stale: Stale,
}

struct Made {
    structure: Structure,
    /// The elements of its data.
    numbers: Vec<Option<i128>>,
}

/// Why a state has no structure.
pub(super) type Mismatch = String;

/// What is not a value of the logic: 0 stands for it, and a relation says so where there is one.
const NOTHING: i128 = 0;

impl<'a> Abstraction<'a> {
    pub(super) fn new(
        program: &'a Program,
        system: &'a TransitionSystem,
        formulas: &[FormulaId],
        integers: &[i64],
    ) -> Abstraction<'a> {
        let symbols = &system.symbols;
        let mut all: BTreeSet<i128> = integers.iter().map(|&i| i128::from(i)).collect();
        all.insert(NOTHING);
        all.extend(symbols.constants.keys());
        let most = |sort: SortId| {
            let count = |f: &FormulaId| variables(&system.arena, *f, sort);
            formulas.iter().map(count).max().unwrap_or(0)
        };
        let marks: Vec<(u32, RelId)> = (0..program.predicates.len() as u32)
            .filter_map(|i| {
                let mark = symbols.view.mark(PredId(i))?;
                Some((i, *symbols.marks.get(&mark)?))
            })
            .collect();
        let bits: Vec<u32> = marks.iter().map(|(bit, _)| *bit).collect();
        let mark_sets = mark_sets(&bits);
        let mut spares = Vec::new();
        for ty in born(program, system) {
            for set in &mark_sets {
                spares.extend(std::iter::repeat_n((ty, *set), most(symbols.obj)));
            }
        }
        let arena = &system.arena;
        let of = |f: FormulaId| Facts {
            used: arena.symbols_in_use(f),
            variables: (variables(arena, f, symbols.obj), variables(arena, f, symbols.data)),
        };
        let vocabulary = Arc::new(system.vocabulary.clone());
        let everything = Needs {
            funs: vec![true; vocabulary.funs().len()],
            rels: vec![true; vocabulary.rels().len()],
            data: true,
        };
        Abstraction {
            program,
            system,
            cells: cells(program, system),
            facts: formulas.iter().map(|f| (*f, of(*f))).collect(),
            everything,
            vocabulary,
            integers: all.into_iter().collect(),
            between: most(symbols.data),
            spares,
            marks,
            mark_sets,
            plans: Plans::default(),
        }
    }

    /// Whether a formula holds of the structure of a state.
    pub(super) fn holds(&self, structure: &Structure, formula: FormulaId) -> bool {
        let arena = &self.system.arena;
        structure.eval_planned(arena, formula, &self.plans, &|| false) == Ok(true)
    }

    /// About what it costs to evaluate a formula, in steps of the machine.
    pub(super) fn cost(&self, state: &State, formula: FormulaId) -> u64 {
        let objects = 1 + state.memory.objects.len() + self.spares.len();
        let data = self.integers.len() * (1 + self.between);
        let (of_objects, of_data) = self.facts[&formula].variables;
        let power = |base: usize, to: usize| (base as u64).saturating_pow(to as u32);
        1 + power(objects, of_objects).saturating_mul(power(data, of_data)) / 16
    }

    /// The symbols that a formula uses.
    pub(super) fn used(&self, formula: FormulaId) -> &SymbolsInUse {
        &self.facts[&formula].used
    }

    /// What formulas look at.
    pub(super) fn needs(&self, formulas: &[FormulaId]) -> Needs {
        let (vocabulary, data) = (&*self.vocabulary, self.system.symbols.data);
        let mut needs = Needs {
            funs: vec![false; vocabulary.funs().len()],
            rels: vec![false; vocabulary.rels().len()],
            data: false,
        };
        for formula in formulas {
            let Facts { used, variables } = &self.facts[formula];
            needs.data |= variables.1 > 0;
            for fun in &used.funs {
                needs.funs[fun.index()] = true;
                needs.data |= vocabulary.fun(*fun).result == data;
            }
            for rel in &used.rels {
                needs.rels[rel.index()] = true;
                needs.data |= vocabulary.rel(*rel).args.contains(&data);
            }
        }
        needs
    }

    /// A state at a cut point. `pre` is memory and globals at the entry, where the invariants speak
    /// of them.
    pub(super) fn structure(
        &self,
        at: &Location,
        state: &State,
        pre: Option<&PreState>,
    ) -> Result<Structure, Mismatch> {
        self.structure_for(&self.everything, at, state, pre)
    }

    /// The same for formulas that look at some symbols only. What the heap theories say of pointer
    /// fields is looked at in any case.
    pub(super) fn structure_for(
        &self,
        needs: &Needs,
        at: &Location,
        state: &State,
        pre: Option<&PreState>,
    ) -> Result<Structure, Mismatch> {
        let mut picture = self.begin(needs, at, state, pre);
        picture.write(Stale::ALL)?;
        Ok(picture.structure)
    }

    /// The structure of a state with nothing in it but what filling its slots does not change.
    fn begin<'p>(
        &'p self,
        needs: &'p Needs,
        at: &'p Location,
        state: &'p State,
        pre: Option<&'p PreState>,
    ) -> Picture<'p> {
        let symbols = &self.system.symbols;
        let numbers = self.universe(needs, state, pre);
        let (elements, first_spare) = self.elements(state);
        let size = |s: SortId| match s {
            s if s == symbols.obj => first_spare + self.spares.len() as u32,
            s if s == symbols.data => numbers.len() as u32,
            _ => 1,
        };
        let sizes: Vec<u32> = self.vocabulary.sorts().map(size).collect();
        let structure = Structure::new(self.vocabulary.clone(), &sizes);
        let mut picture =
            Picture { of: self, needs, at, state, pre, numbers, elements, first_spare, structure };
        picture.order();
        picture.objects();
        picture
    }

    /// The structure of a state of which an earlier look has made one; what is stale says in what the
    /// two may differ. Objects, and whether they live, are the same for all looks at one canvas.
    pub(super) fn look<'c>(
        &self,
        canvas: &'c mut Canvas,
        needs: &Needs,
        at: &Location,
        state: &State,
        pre: Option<&PreState>,
    ) -> Result<&'c Structure, Mismatch> {
        let mut stale = std::mem::take(&mut canvas.stale);
        let made = canvas.made.take().and_then(|made| {
            let same = !stale.numbers || self.universe(needs, state, pre) == made.numbers;
            same.then_some(made)
        });
        let mut picture = match made {
            None => {
                stale = Stale::ALL;
                self.begin(needs, at, state, pre)
            }
            Some(Made { structure, numbers }) => {
                let (elements, first_spare) = self.elements(state);
                let of = self;
                Picture { of, needs, at, state, pre, numbers, elements, first_spare, structure }
            }
        };
        let written = picture.write(stale);
        if written.is_err() {
            // What was written of it so far is of no state.
            canvas.stale = Stale::ALL;
        }
        let made = Made { structure: picture.structure, numbers: picture.numbers };
        let made = canvas.made.insert(made);
        written.map(|()| &made.structure)
    }

    /// The elements of the data, as far as formulas look at them.
    fn universe(&self, needs: &Needs, state: &State, pre: Option<&PreState>) -> Vec<Option<i128>> {
        match needs.data {
            true => self.numbers(state, pre),
            false => vec![None],
        }
    }

    /// The element that stands for each object, and the first one behind them.
    fn elements(&self, state: &State) -> (Vec<Option<u32>>, u32) {
        let mut elements = vec![Some(0); state.memory.objects.len()];
        for (i, global) in self.program.globals.iter().enumerate() {
            let reg = Reg::Global(GlobalId(i as u32));
            let known = !global.is_const || self.system.symbols.addresses.contains_key(&reg);
            match state.slot(reg) {
                Value::Ptr(p) if global.storage == Storage::Object && !known => {
                    elements[p.obj.0 as usize] = None;
                }
                _ => {}
            }
        }
        let mut next = 1;
        for element in elements.iter_mut().flatten() {
            *element = next;
            next += 1;
        }
        (elements, next)
    }

    /// The elements of the data: integers, and gaps between them.
    fn numbers(&self, state: &State, pre: Option<&PreState>) -> Vec<Option<i128>> {
        let mut all: BTreeSet<i128> = self.integers.iter().copied().collect();
        let symbols = &self.system.symbols;
        let mut add = |value: Value, kind: Option<IntKind>| {
            if let Value::Int(i) = value {
                all.insert(kind.map_or(i128::from(i), |k| k.value(i)));
            }
        };
        for field in symbols.integers.iter().filter(|f| matches!(f.now, Flag::Data(_))) {
            for memory in [Some(&state.memory), pre.map(|p| &p.memory)].into_iter().flatten() {
                for id in memory.ids() {
                    if let Some(value) = self.cell(memory, id, field.cell) {
                        add(value, int_kind(field.cell));
                    }
                }
            }
        }
        for (reg, twin) in &symbols.regs {
            if matches!(twin.now, RegSymbol::Int(Flag::Data(_))) {
                add(self.variable_now(state, *reg), self.kind_of(*reg));
                add(self.variable_before(state, pre, *reg), self.kind_of(*reg));
            }
        }
        let gap = || std::iter::repeat_n(None, self.between);
        let mut out: Vec<Option<i128>> = gap().collect();
        for number in all {
            out.push(Some(number));
            out.extend(gap());
        }
        out
    }

    fn kind_of(&self, reg: Reg) -> Option<IntKind> {
        match self.program.types.scalar(self.program.reg_type(self.system.proc, reg)) {
            Some(Scalar::Int(kind)) => Some(kind),
            _ => None,
        }
    }

    fn variable_now(&self, state: &State, reg: Reg) -> Value {
        state.slot(reg)
    }

    /// What a parameter or global was at the entry.
    fn variable_before(&self, state: &State, pre: Option<&PreState>, reg: Reg) -> Value {
        let proc = self.program.proc(self.system.proc);
        match reg {
            Reg::Local(v) if (v.0 as usize) < proc.params => state.entry_param(self.program, v),
            Reg::Local(_) => Value::Undef,
            Reg::Global(g) => pre.map_or(Value::Undef, |p| p.globals[g.0 as usize]),
        }
    }

    /// Which cell of an object a field is.
    pub(super) fn cell_index(&self, memory: &Memory, id: ObjId, cell: Cell) -> Option<usize> {
        let object = memory.object(id);
        let (_, by_type) = self.cells.iter().find(|(known, _)| *known == cell)?;
        let index = by_type[object.ty?.0 as usize]? as usize;
        (index < object.cells as usize).then_some(object.start as usize + index)
    }

    fn cell(&self, memory: &Memory, id: ObjId, cell: Cell) -> Option<Value> {
        self.cell_index(memory, id, cell).map(|i| memory.cells[i])
    }
}

/// Of each field that has a symbol, which cell it is in objects of a type.
fn cells(program: &Program, system: &TransitionSystem) -> Vec<(Cell, Vec<Option<u32>>)> {
    let symbols = &system.symbols;
    let index = |ty: TypeId, cell: Cell| {
        let spot = Spot::At { family: cell.family, at: cell.at };
        let offset = symbols.view.offset_in(spot, Some(ty))?;
        let bytes = match cell.kind {
            CellKind::Ptr => program.types.model().pointer_bytes(),
            CellKind::Int(kind) => kind.bytes(),
        };
        let layout = program.types.layout(ty)?;
        u32::try_from(layout.cell_at(u32::try_from(offset).ok()?, bytes)?).ok()
    };
    let pointers = symbols.pointers.iter().map(|f| f.cell);
    let fields = pointers.chain(symbols.integers.iter().map(|f| f.cell));
    let types = || program.types.ids();
    fields.map(|cell| (cell, types().map(|ty| index(ty, cell)).collect())).collect()
}

fn int_kind(cell: Cell) -> Option<IntKind> {
    match cell.kind {
        CellKind::Int(kind) => Some(kind),
        CellKind::Ptr => None,
    }
}

/// The types of objects that the code can make. A conversion of a pointer makes none: it gives a
/// type to memory that was allocated without one.
fn born(program: &Program, system: &TransitionSystem) -> BTreeSet<Option<TypeId>> {
    let proc = program.proc(system.proc);
    let (mut types, mut given) = (BTreeSet::new(), BTreeSet::new());
    for var in &proc.vars[..proc.params] {
        if var.storage == Storage::Object {
            types.insert(Some(var.ty));
        }
    }
    for instr in proc.instrs() {
        match &instr.kind {
            InstrKind::Alloc { ty, .. } => drop(types.insert(*ty)),
            InstrKind::Retype { ty, .. } => drop(given.insert(Some(*ty))),
            InstrKind::BeginLocal { var } => drop(types.insert(Some(proc.var(*var).ty))),
            _ => {}
        }
    }
    if types.contains(&None) {
        types.extend(given);
    }
    types
}

/// How many variables of a sort are bound in a formula at once.
fn variables(arena: &Arena, formula: FormulaId, sort: SortId) -> usize {
    match arena.formula(formula) {
        Formula::Quant(_, vars, body) => {
            let here = vars.iter().filter(|v| arena.var(**v).sort == sort).count();
            here + variables(arena, *body, sort)
        }
        Formula::Not(a) => variables(arena, *a, sort),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().map(|p| variables(arena, *p, sort)).max().unwrap_or(0)
        }
        Formula::Implies(a, b) | Formula::Iff(a, b) => {
            variables(arena, *a, sort).max(variables(arena, *b, sort))
        }
        Formula::True
        | Formula::False
        | Formula::Rel(..)
        | Formula::Eq(..)
        | Formula::Le(..)
        | Formula::Lt(..) => 0,
    }
}
