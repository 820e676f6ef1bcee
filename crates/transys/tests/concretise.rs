//! Initial heaps survive the way into the logic and back.
//!
//! For the programs of the benchmark suites, every small initial heap becomes a structure over the
//! entry's symbols. It has no cycles, since the precondition was found to exclude them; what the
//! system says of the entry is true in it; and the heap that is made of it has the same structure
//! and satisfies `requires`.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trellis_explore::Config;
use trellis_explore::heaps::HeapSpace;
use trellis_logic::{FormulaId, SortId, Structure};
use trellis_program::concrete::{InitialHeap, Machine, ObjId, Value};
use trellis_program::spec::PredId;
use trellis_program::view::{Cell, CellKind, Spot};
use trellis_program::{InlineLimits, Program, Reg, Scalar, inline};
use trellis_testkit::solvers::epr;
use trellis_transys::{
    Flag, NoHeap, Options, RegSymbol, Symbols, TransitionSystem, build, concretise, integers,
};

/// Most heaps of one procedure.
const HEAPS: usize = 150;

fn files(suite: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks").join(suite);
    let entries = std::fs::read_dir(&folder).expect("a suite");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

#[test]
fn heaps_come_back() {
    let (mut systems, mut heaps) = (0, 0);
    for file in ["pdr-forall", "more"].into_iter().flat_map(files) {
        let unit = trellis_front_c::load(&file, &Default::default()).expect("C");
        let program = &unit.program;
        for proc in (0..program.procs.len() as u32).map(trellis_program::ProcId) {
            if program.proc(proc).body.is_none() || !program.proc(proc).has_contract {
                continue;
            }
            let Ok(inlined) = inline(program, proc, InlineLimits::default()) else { continue };
            let options = Options::default();
            let Ok(system) = build(&inlined.program, proc, &options, &epr) else { continue };
            systems += 1;
            heaps += come_back(program, &system, &file);
        }
    }
    assert!(systems >= 50, "{systems} systems");
    assert!(heaps >= 2000, "{heaps} heaps");
}

/// How many heaps of a procedure have a structure.
fn come_back(program: &Program, system: &TransitionSystem, file: &Path) -> usize {
    let machine = Machine::new(program, Config::default().machine_options(program, system.proc));
    let space = HeapSpace::new(&machine, system.proc);
    let mut tried = 0;
    for objects in 0..4 {
        let mut left = HEAPS / 4;
        let _ = space.for_each(objects, &mut |heap| {
            if let Some(there) = structure(program, system, heap) {
                let name = &program.proc(system.proc).name;
                for fact in facts_of_entry(system) {
                    let text = || system.arena.print(&system.vocabulary, fact);
                    let value = there.eval(&system.arena, fact);
                    assert_ne!(value, Ok(false), "{}, {name}: {}", file.display(), text());
                }
                let back = concretise(program, system, &there)
                    .unwrap_or_else(|e| panic!("{}, {name}: {e}\n{heap:?}", file.display()))
                    .heap;
                let again = structure(program, system, &back).expect("fits as before");
                assert!(again == there, "{}, {name}:\n{heap:?}\n{back:?}", file.display());
                assert!(space.satisfies_requires(&back), "{}, {name}", file.display());
                tried += 1;
            }
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
    tried
}

/// What the system says of the entry: the precondition, and the axioms about the entry's symbols.
fn facts_of_entry(system: &TransitionSystem) -> Vec<FormulaId> {
    let entry = &system.locations[0];
    let of_entry = |fact: &&FormulaId| {
        let rels = system.arena.symbols_in_use(**fact).rels;
        rels.iter().all(|r| entry.relations.contains(r) || *r == system.symbols.at_most)
    };
    system.axioms.iter().filter(of_entry).chain(&system.initial).copied().collect()
}

/// A heap over the entry's symbols; none if a value does not fit its symbol. Element 0 is null.
fn structure(
    program: &Program,
    system: &TransitionSystem,
    heap: &InitialHeap,
) -> Option<Structure> {
    let symbols = &system.symbols;
    let values = integers_of(program, system, heap);
    let rank = |i: i128| values.iter().position(|v| *v == i).expect("collected") as u32;
    let objects = heap.memory.objects.len() as u32;
    let size = |s: SortId| match s {
        s if s == symbols.obj => objects + 1,
        s if s == symbols.data => values.len().max(1) as u32,
        _ => 1,
    };
    let sizes: Vec<u32> = system.vocabulary.sorts().map(size).collect();
    let mut out = Structure::new(Arc::new(system.vocabulary.clone()), &sizes);
    out.set_constant(symbols.null, 0);
    for x in 0..size(symbols.data) {
        (x..size(symbols.data)).for_each(|y| out.set_rel(symbols.at_most, &[x, y], true));
    }
    for (value, fun) in &symbols.constants {
        out.set_constant(*fun, rank(*value));
    }
    for id in heap.memory.ids() {
        let (x, object) = ([id.0 + 1], heap.memory.object(id));
        out.set_rel(symbols.alloc.entry, &x, true);
        for (ty, rel) in &symbols.types {
            out.set_rel(*rel, &x, object.ty == Some(*ty));
        }
        for i in 0..program.predicates.len() {
            let rel = symbols.view.mark(PredId(i as u32)).and_then(|m| symbols.marks.get(&m));
            if let Some(rel) = rel {
                out.set_rel(*rel, &x, object.marks >> i & 1 == 1);
            }
        }
        for field in &symbols.integers {
            let Some(value) = cell(program, symbols, heap, id, field.cell) else { continue };
            match (field.entry, value) {
                (Flag::Truth(rel), Value::Int(i)) => out.set_rel(rel, &x, i != 0),
                (Flag::Data(fun), Value::Int(i)) => {
                    let rank = rank(number(field.cell.kind, i));
                    out.set_fun(fun, &x, Some(trellis_logic::Value::Elem(rank)));
                }
                _ => return None,
            }
        }
    }
    for field in &symbols.pointers {
        let next = |id: ObjId| match cell(program, symbols, heap, id, field.cell) {
            Some(Value::Ptr(p)) => Some(p.obj),
            _ => None,
        };
        if field.theory.closure(field).is_none() {
            for id in heap.memory.ids() {
                if let Some(to) = next(id) {
                    out.set_rel(field.relation.entry, &[id.0 + 1, to.0 + 1], true);
                }
            }
            continue;
        }
        out.set_rel(field.relation.entry, &[0, 0], true);
        for id in heap.memory.ids() {
            let (mut at, mut steps) = (Some(id), 0);
            while let Some(here) = at {
                out.set_rel(field.relation.entry, &[id.0 + 1, here.0 + 1], true);
                at = next(here);
                steps += 1;
                assert!(steps <= objects, "a cycle over `{}`: {heap:?}", field.name);
            }
            out.set_rel(field.relation.entry, &[id.0 + 1, 0], true);
        }
    }
    for (reg, twin) in &symbols.regs {
        let Some(value) = variable(heap, *reg) else { continue };
        match (twin.entry, value) {
            (RegSymbol::Ptr(fun), Value::Ptr(p)) => out.set_constant(fun, p.obj.0 + 1),
            (RegSymbol::Ptr(fun), _) => out.set_constant(fun, 0),
            (RegSymbol::Int(Flag::Truth(rel)), Value::Int(i)) => out.set_rel(rel, &[], i != 0),
            (RegSymbol::Int(Flag::Data(fun)), Value::Int(i)) => {
                out.set_constant(fun, rank(number(kind_of(program, system, *reg), i)));
            }
            _ => return None,
        }
    }
    for (reg, (fun, _)) in &symbols.addresses {
        if let (Reg::Global(_), Some(Value::Ptr(p))) = (reg, variable(heap, *reg)) {
            out.set_constant(*fun, p.obj.0 + 1);
        }
    }
    for held in &symbols.held {
        let header = out.constant(held.header).filter(|h| *h != 0).map(|h| ObjId(h - 1));
        let field = symbols.pointers[held.field].cell;
        let target = match header.and_then(|h| cell(program, symbols, heap, h, field)) {
            Some(Value::Ptr(p)) => p.obj.0 + 1,
            _ => 0,
        };
        out.set_constant(held.fun, target);
    }
    Some(out)
}

/// What a variable holds at the entry.
fn variable(heap: &InitialHeap, reg: Reg) -> Option<Value> {
    match reg {
        Reg::Local(v) => heap.args.get(v.0 as usize).copied(),
        Reg::Global(g) => heap.globals.get(g.0 as usize).copied(),
    }
}

/// What a cell of an object holds, if it has that cell.
fn cell(
    program: &Program,
    symbols: &Symbols,
    heap: &InitialHeap,
    id: ObjId,
    cell: Cell,
) -> Option<Value> {
    let ty = heap.memory.object(id).ty?;
    let Some(Spot::At { family, at }) = symbols.view.object_spot(ty) else { return None };
    let mut contents = heap.memory.contents(&program.types, id);
    contents
        .find(|(offset, scalar, _)| {
            let kind = match scalar {
                Scalar::Ptr(_) => CellKind::Ptr,
                Scalar::Int(kind) => CellKind::Int(*kind),
                Scalar::Float(_) | Scalar::Bits(_) => return false,
            };
            Cell { family, at: at + i64::from(*offset), kind } == cell
        })
        .map(|(_, _, value)| value)
}

/// The integers of a heap that are compared, and the constants, in order.
fn integers_of(program: &Program, system: &TransitionSystem, heap: &InitialHeap) -> Vec<i128> {
    let symbols = &system.symbols;
    let mut values: BTreeSet<i128> = symbols.constants.keys().copied().collect();
    let mut add = |value: Option<Value>, kind: CellKind| {
        if let Some(Value::Int(i)) = value {
            values.insert(number(kind, i));
        }
    };
    for field in symbols.integers.iter().filter(|f| matches!(f.entry, Flag::Data(_))) {
        for id in heap.memory.ids() {
            add(cell(program, symbols, heap, id, field.cell), field.cell.kind);
        }
    }
    for (reg, twin) in &symbols.regs {
        if matches!(twin.entry, RegSymbol::Int(Flag::Data(_))) {
            add(variable(heap, *reg), kind_of(program, system, *reg));
        }
    }
    values.into_iter().collect()
}

/// The mathematical integer of a value.
fn number(kind: CellKind, i: i64) -> i128 {
    match kind {
        CellKind::Int(kind) => kind.value(i),
        CellKind::Ptr => i.into(),
    }
}

fn kind_of(program: &Program, system: &TransitionSystem, reg: Reg) -> CellKind {
    match program.types.scalar(program.reg_type(system.proc, reg)) {
        Some(Scalar::Int(kind)) => CellKind::Int(kind),
        _ => CellKind::Ptr,
    }
}

#[test]
fn there_is_nothing_between_two_neighbours() {
    let text = "struct node { struct node *next; int key; };\n\
                /*@ requires reach(next, h, NULL); */\n\
                int f(struct node *h) { return h != 0 && h->key > 4 && h->key < 5; }\n";
    let unit = trellis_front_c::load_str("test.c", text).expect("C");
    let proc = unit.program.find_proc("f").expect("f");
    let system = build(&unit.program, proc, &Options::default(), &epr).expect("supported");
    let symbols = &system.symbols;
    let size = |s: SortId| if s == symbols.data { 4 } else { 1 };
    let sizes: Vec<u32> = system.vocabulary.sorts().map(size).collect();
    let mut entry = Structure::new(Arc::new(system.vocabulary.clone()), &sizes);
    for x in 0..4 {
        (x..4).for_each(|y| entry.set_rel(symbols.at_most, &[x, y], true));
    }
    assert_eq!(symbols.constants.keys().copied().collect::<Vec<i128>>(), [4, 5]);
    let place = |entry: &mut Structure, four: u32, five: u32| {
        entry.set_constant(symbols.constants[&4], four);
        entry.set_constant(symbols.constants[&5], five);
    };
    place(&mut entry, 1, 2);
    assert_eq!(integers(&system, &entry), Ok(vec![3, 4, 5, 6]));
    place(&mut entry, 1, 3);
    assert!(matches!(integers(&system, &entry), Err(NoHeap::Integers(_))));
}
