//! The theories of several fields together against all small heaps of two fields.

use std::sync::Arc;

use trellis_logic::{Arena, Evaluator, FormulaId, Structure, TermId, Value, VarId, Vocabulary};
use trellis_program::spec::Label;
use trellis_program::view::{Cell, CellKind, Kind, Spot, Twin};

use super::forest::Forest;
use super::graphs::Graphs;
use super::{FieldAt, Fields, HeapLogic, HeapTheory};
use crate::symbols::PointerField;

/// Null and so many objects, less one.
const MOST: usize = 4;
const FIELDS: [FieldAt; 2] =
    [FieldAt { field: 0, label: Label::Here }, FieldAt { field: 1, label: Label::Here }];
/// What the two fields of every element hold; null is the first.
type Heap = Vec<[u32; 2]>;

struct Setting {
    vocabulary: Arc<Vocabulary>,
    arena: Arena,
    fields: Vec<PointerField>,
    obj: trellis_logic::SortId,
    null: trellis_logic::FunId,
    vars: [VarId; 4],
    terms: [TermId; 4],
}

impl Setting {
    fn new(theory: &'static dyn HeapTheory) -> Setting {
        let mut vocabulary = Vocabulary::new();
        let obj = vocabulary.sort("node");
        let null = vocabulary.null("NULL", obj);
        let both = vocabulary.state_relation("reach({left, right})", &[obj, obj]);
        let fields = ["left", "right"].map(|name| {
            let relation = theory.declare(&mut vocabulary, obj, name.into(), "{left, right}");
            let edge = theory.needs_edges().then(|| vocabulary.state_relation(name, &[obj, obj]));
            let undefined = vocabulary.state_relation(format!("undefined_{name}"), &[obj]);
            PointerField {
                cell: Cell { family: 0, at: 0, kind: CellKind::Ptr },
                name: name.into(),
                theory,
                relation: Twin { now: relation, entry: relation },
                set: Some(0),
                single: false,
                cyclic: false,
                reach: theory.needs_edges().then_some(both),
                edge: edge.map(|e| Twin { now: e, entry: e }),
                undefined,
                recursive: true,
                kind: Kind::Ptr(Spot::At { family: 0, at: 0 }),
                roots: Vec::new(),
                changes: true,
                stored: true,
            }
        });
        let mut arena = Arena::new();
        let vars = ["x", "y", "a", "b"].map(|name| arena.variable(name, obj));
        let terms = vars.map(|v| arena.var_term(v));
        let (vocabulary, fields) = (Arc::new(vocabulary), fields.to_vec());
        Setting { vocabulary, arena, fields, obj, null, vars, terms }
    }

    fn heap(&mut self) -> HeapLogic<'_> {
        let fields = Fields { all: &self.fields, obj: self.obj, null: self.null };
        HeapLogic { arena: &mut self.arena, vocabulary: &self.vocabulary, fields }
    }

    fn fields(&self) -> Fields<'_> {
        Fields { all: &self.fields, obj: self.obj, null: self.null }
    }

    fn write(&self, heap: &Heap) -> Result<Structure, String> {
        let mut out = Structure::new(self.vocabulary.clone(), &[0, heap.len() as u32]);
        out.set_constant(self.null, 0);
        let next = |field: usize, x: u32| heap[x as usize][field];
        for at in FIELDS {
            self.fields().write(&mut out, at, &next)?;
        }
        Ok(out)
    }

    fn holds(&self, structure: &Structure, formula: FormulaId, values: &[u32]) -> bool {
        let values: Vec<(VarId, Value)> =
            self.vars.into_iter().zip(values.iter().map(|v| Value::Elem(*v))).collect();
        Evaluator::with(structure, &self.arena, &values).formula(formula).unwrap()
    }
}

fn heaps() -> Vec<Heap> {
    let mut all = Vec::new();
    for size in 1..=MOST {
        for code in 0..size.pow(2 * (size as u32 - 1)) {
            let digit = |i: usize| (code / size.pow(i as u32) % size) as u32;
            let mut heap: Heap = vec![[0, 0]];
            heap.extend((0..size - 1).map(|n| [digit(2 * n), digit(2 * n + 1)]));
            all.push(heap);
        }
    }
    all
}

/// The nodes at and below one, and whether one is come to twice.
fn below(heap: &Heap, top: u32) -> (Vec<u32>, bool) {
    let (mut out, mut twice, mut todo) = (Vec::new(), false, vec![top]);
    while let Some(x) = todo.pop().filter(|_| top != 0) {
        out.push(x);
        for y in heap[x as usize].into_iter().filter(|y| *y != 0) {
            match out.contains(&y) || todo.contains(&y) {
                true => twice = true,
                false => todo.push(y),
            }
        }
    }
    (out, twice)
}

fn is_forest(heap: &Heap) -> bool {
    let edges = heap.iter().flatten().filter(|y| **y != 0);
    let shared = (1..heap.len() as u32).any(|y| edges.clone().filter(|z| **z == y).count() > 1);
    !shared && (1..heap.len() as u32).all(|x| !below(heap, x).1)
}

fn pairs(heap: &Heap) -> Vec<[u32; 2]> {
    let size = heap.len() as u32;
    (0..size).flat_map(|x| (0..size).map(move |y| [x, y])).collect()
}

#[test]
fn forests_are_written_and_read_back() {
    let setting = Setting::new(&Forest);
    for heap in heaps() {
        let written = setting.write(&heap);
        assert_eq!(written.is_ok(), is_forest(&heap), "{heap:?}");
        let Ok(structure) = written else { continue };
        for (x, at) in (1..heap.len() as u32).flat_map(|x| FIELDS.map(|at| (x, at))) {
            let next = Some(heap[x as usize][at.field]).filter(|y| *y != 0);
            assert_eq!(setting.fields().read(&structure, at, x), next, "{heap:?} {x}");
        }
    }
}

#[test]
fn formulas_about_forests_say_what_is_in_the_heap() {
    let mut setting = Setting::new(&Forest);
    let [x, y, ..] = setting.terms;
    let mut heap = setting.heap();
    let axioms: Vec<FormulaId> = FIELDS.into_iter().flat_map(|at| heap.axioms(at)).collect();
    let loads = FIELDS.map(|at| heap.load(at, x, y));
    let reaches = FIELDS.map(|at| heap.reach(at, x, y));
    let paths = FIELDS.map(|at| heap.path(at, x, y).unwrap());
    let subtrees = FIELDS.map(|at| Forest.subtree(&mut heap, at, x, y).unwrap());
    let isolated = FIELDS.map(|at| heap.isolated(at, x));
    for heap in heaps().into_iter().filter(is_forest) {
        let structure = setting.write(&heap).unwrap();
        assert!(axioms.iter().all(|a| setting.holds(&structure, *a, &[])), "{heap:?}");
        for [x, y] in pairs(&heap).into_iter().filter(|[x, _]| *x != 0) {
            let says = |formula| setting.holds(&structure, formula, &[x, y]);
            for field in 0..2 {
                let next = heap[x as usize][field];
                let case = format!("{heap:?} {x} {y} {field}");
                assert_eq!(says(loads[field]), next == y, "{case}");
                assert_eq!(
                    says(reaches[field]),
                    y == 0 || below(&heap, x).0.contains(&y),
                    "{case}"
                );
                assert_eq!(says(subtrees[field]), below(&heap, next).0.contains(&y), "{case}");
                let mut spine = vec![x];
                while spine[spine.len() - 1] != 0 {
                    spine.push(heap[spine[spine.len() - 1] as usize][field]);
                }
                assert_eq!(says(paths[field]), spine.contains(&y), "{case}");
            }
            let alone = heap[x as usize] == [0, 0] && !heap.iter().flatten().any(|z| *z == x);
            assert_eq!(says(isolated[0]) && says(isolated[1]), alone, "{heap:?} {x}");
        }
    }
}

#[test]
fn stores_to_forests_are_those_of_the_heap_or_forbidden() {
    let mut setting = Setting::new(&Forest);
    let [x, y, a, b] = setting.terms;
    let relations = [0, 1].map(|field: usize| setting.fields[field].relation.now);
    for field in 0..2 {
        let mut heap = setting.heap();
        let (_, forbidden) = heap.forbidden_store(field, x, y).unwrap();
        let stored = heap.store(field, x, y);
        let after = relations.map(|rel| {
            let atom = heap.arena.rel(rel, &[a, b]);
            heap.arena.expand(atom, &stored)
        });
        for heap in heaps().into_iter().filter(is_forest) {
            let before = setting.write(&heap).unwrap();
            for [x, y] in pairs(&heap).into_iter().filter(|[x, _]| *x != 0) {
                let mut changed = heap.clone();
                changed[x as usize][field] = y;
                let written = setting.write(&changed);
                let refused = setting.holds(&before, forbidden, &[x, y]);
                assert_eq!(refused, written.is_err(), "{heap:?} {x} {y}");
                let Ok(written) = written else { continue };
                for [a, b] in pairs(&heap) {
                    for (rel, formula) in relations.into_iter().zip(after) {
                        let says = setting.holds(&before, formula, &[x, y, a, b]);
                        assert_eq!(says, written.rel(rel, &[a, b]), "{heap:?} {x} {y} {a} {b}");
                    }
                }
            }
        }
    }
}

#[test]
fn formulas_about_graphs_say_what_is_in_the_heap() {
    let mut setting = Setting::new(&Graphs);
    let [x, y, ..] = setting.terms;
    let mut heap = setting.heap();
    let mut axioms: Vec<FormulaId> = FIELDS.into_iter().flat_map(|at| heap.axioms(at)).collect();
    axioms.extend(FIELDS.into_iter().flat_map(|at| heap.edge_axioms(at)));
    let loads = FIELDS.map(|at| heap.load(at, x, y));
    let reach = heap.reach(FIELDS[0], x, y);
    let tree = Graphs.tree(&mut heap, FIELDS[0], x).unwrap();
    let excluded = FIELDS.map(|at| Forest.excluded(&mut heap, at, x).unwrap().0);
    for heap in heaps() {
        let structure = setting.write(&heap).unwrap();
        assert!(axioms.iter().all(|a| setting.holds(&structure, *a, &[])), "{heap:?}");
        for [x, y] in pairs(&heap) {
            let says = |formula| setting.holds(&structure, formula, &[x, y]);
            let case = format!("{heap:?} {x} {y}");
            for (field, load) in loads.into_iter().enumerate() {
                assert!(x == 0 || says(load) == (heap[x as usize][field] == y), "{case}");
            }
            assert_eq!(says(reach), y == 0 || below(&heap, x).0.contains(&y), "{case}");
            assert_eq!(says(tree), !below(&heap, x).1, "{case}");
        }
        // What is excluded at the entry is what paths cannot have.
        let some = (1..heap.len() as u32)
            .any(|x| excluded.into_iter().any(|f| setting.holds(&structure, f, &[x])));
        assert_eq!(some, !is_forest(&heap), "{heap:?}");
    }
}
