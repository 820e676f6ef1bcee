//! Every theory against all small heaps of one field.

use std::sync::Arc;

use trellis_logic::{Arena, Evaluator, FormulaId, Structure, TermId, Value, VarId, Vocabulary};
use trellis_program::view::{Cell, CellKind, Kind, Spot, Twin};

use super::cells::Cells;
use super::cycles::Cycles;
use super::lists::Lists;
use super::steps::Steps;
use super::{FieldAt, Fields, HeapLogic, HeapTheory};
use crate::symbols::PointerField;

/// Add a theory here.
const THEORIES: [&dyn HeapTheory; 4] = [&Lists, &Cycles, &Steps, &Cells];
/// Null and so many objects, less one.
const MOST: u32 = 4;
const NOW: FieldAt = FieldAt { field: 0, label: trellis_program::spec::Label::Here };

/// A field in a theory, and two places to speak of.
struct Setting {
    vocabulary: Arc<Vocabulary>,
    arena: Arena,
    fields: Vec<PointerField>,
    obj: trellis_logic::SortId,
    null: trellis_logic::FunId,
    vars: [VarId; 2],
    terms: [TermId; 2],
}

impl Setting {
    fn new(theory: &'static dyn HeapTheory, edges: bool) -> Setting {
        let mut vocabulary = Vocabulary::new();
        let obj = vocabulary.sort("node");
        let null = vocabulary.null("NULL", obj);
        let relation = theory.declare(&mut vocabulary, obj, "next".into(), "");
        let edge = edges.then(|| vocabulary.state_relation("next", &[obj, obj]));
        let undefined = vocabulary.state_relation("undefined_next", &[obj]);
        let field = PointerField {
            cell: Cell { family: 0, at: 0, kind: CellKind::Ptr },
            name: "next".into(),
            theory,
            relation: Twin { now: relation, entry: relation },
            set: None,
            single: false,
            cyclic: false,
            reach: None,
            edge: edge.map(|e| Twin { now: e, entry: e }),
            undefined,
            recursive: true,
            kind: Kind::Ptr(Spot::At { family: 0, at: 0 }),
            roots: Vec::new(),
            changes: true,
            stored: true,
        };
        let mut arena = Arena::new();
        let vars = ["x", "y"].map(|name| arena.variable(name, obj));
        let terms = vars.map(|v| arena.var_term(v));
        let vocabulary = Arc::new(vocabulary);
        Setting { vocabulary, arena, fields: vec![field], obj, null, vars, terms }
    }

    fn heap(&mut self) -> HeapLogic<'_> {
        let fields = Fields { all: &self.fields, obj: self.obj, null: self.null };
        HeapLogic { arena: &mut self.arena, vocabulary: &self.vocabulary, fields }
    }

    fn fields(&self) -> Fields<'_> {
        Fields { all: &self.fields, obj: self.obj, null: self.null }
    }

    /// The structure of a heap: what every element holds; null is the first.
    fn write(&self, heap: &[u32]) -> Result<Structure, String> {
        let mut out = Structure::new(self.vocabulary.clone(), &[0, heap.len() as u32]);
        out.set_constant(self.null, 0);
        let next = |_: usize, x: u32| heap[x as usize];
        self.fields().write(&mut out, NOW, &next)?;
        Ok(out)
    }

    fn holds(&self, structure: &Structure, formula: FormulaId, values: [u32; 2]) -> bool {
        let values: Vec<(VarId, Value)> =
            self.vars.into_iter().zip(values.map(Value::Elem)).collect();
        Evaluator::with(structure, &self.arena, &values).formula(formula).unwrap()
    }
}

/// All heaps of null and some objects.
fn heaps() -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    for size in 1..=MOST {
        let mut heaps = vec![vec![0]];
        for _ in 1..size {
            let longer = |h: &Vec<u32>| {
                let h = h.clone();
                (0..size).map(move |to| [&h[..], &[to]].concat())
            };
            heaps = heaps.iter().flat_map(longer).collect();
        }
        all.extend(heaps);
    }
    all
}

fn pairs(heap: &[u32]) -> Vec<[u32; 2]> {
    let size = heap.len() as u32;
    (0..size).flat_map(|x| (0..size).map(move |y| [x, y])).collect()
}

/// What an element reaches, itself included.
fn reached(heap: &[u32], x: u32, most: usize) -> Vec<u32> {
    let mut way = vec![x];
    for _ in 0..most {
        way.push(heap[way[way.len() - 1] as usize]);
    }
    way
}

fn has_cycle(heap: &[u32]) -> bool {
    (0..heap.len() as u32).any(|x| !reached(heap, x, heap.len()).contains(&0))
}

#[test]
fn heaps_are_written_and_read_back() {
    for theory in THEORIES {
        let setting = Setting::new(theory, false);
        for heap in heaps() {
            let lacks = !theory.has_cycles() && has_cycle(&heap);
            let written = setting.write(&heap);
            assert_eq!(written.is_err(), lacks, "{theory:?} {heap:?}");
            let Ok(structure) = written else { continue };
            for x in 1..heap.len() as u32 {
                let next = Some(heap[x as usize]).filter(|y| *y != 0);
                let read = setting.fields().read(&structure, NOW, x);
                assert_eq!(read, next, "{theory:?} {heap:?} {x}");
            }
        }
    }
}

#[test]
fn heaps_satisfy_the_axioms() {
    for theory in THEORIES {
        for edges in [false, theory.edge_rules().is_some()] {
            let mut setting = Setting::new(theory, edges);
            let mut heap = setting.heap();
            let mut axioms = heap.axioms(NOW);
            axioms.extend(heap.edge_axioms(NOW));
            let one_step = heap.one_step_axioms(NOW);
            for heap in heaps() {
                let Ok(structure) = setting.write(&heap) else { continue };
                let holds = |f: &FormulaId| setting.holds(&structure, *f, [0, 0]);
                assert!(axioms.iter().all(holds), "{theory:?} {heap:?}");
                let short = heap.iter().all(|y| heap[*y as usize] == 0);
                assert!(!short || one_step.iter().all(holds), "{theory:?} {heap:?}");
                // Two steps in a row are noticed, unless each step is seen alone.
                let long = |x: usize| {
                    let y = heap[x] as usize;
                    y != x && y != 0 && heap[y] as usize != y && heap[y] != 0
                };
                if theory.is_transitive() && (0..heap.len()).any(long) {
                    assert!(!one_step.iter().all(holds), "{theory:?} {heap:?}");
                }
            }
        }
    }
}

#[test]
fn loads_and_paths_are_those_of_the_heap() {
    for theory in THEORIES {
        for edges in [false, theory.edge_rules().is_some()] {
            let mut setting = Setting::new(theory, edges);
            let [x, y] = setting.terms;
            let mut heap = setting.heap();
            let load = heap.load(NOW, x, y);
            let (reach, isolated) = (heap.reach(NOW, x, y), heap.isolated(NOW, x));
            for heap in heaps() {
                let Ok(structure) = setting.write(&heap) else { continue };
                for [x, y] in pairs(&heap) {
                    let says = |formula| setting.holds(&structure, formula, [x, y]);
                    let case = format!("{theory:?} {heap:?} {x} {y}");
                    match x {
                        0 => assert!(!says(load) || y == 0, "{case}"),
                        _ => assert_eq!(says(load), heap[x as usize] == y, "{case}"),
                    }
                    let steps = if theory.is_transitive() { heap.len() } else { 1 };
                    let there = reached(&heap, x, steps).contains(&y);
                    // Where nobody follows steps in a row, null counts as reached from everywhere.
                    let ends = !theory.is_transitive() && y == 0;
                    assert_eq!(says(reach), there || ends, "{case}");
                    let alone = x != 0 && heap[x as usize] == 0 && !heap.contains(&x);
                    assert!(x == 0 || says(isolated) == alone, "{case}");
                }
            }
        }
    }
}

#[test]
fn stores_are_those_of_the_heap_or_forbidden() {
    for theory in THEORIES {
        let mut setting = Setting::new(theory, false);
        let [x, y] = setting.terms;
        let relation = setting.fields[0].relation.now;
        let arity = setting.vocabulary.rel(relation).args.len();
        let params: Vec<VarId> =
            (0..arity).map(|i| setting.arena.variable(format!("p{i}"), setting.obj)).collect();
        let terms: Vec<TermId> = params.iter().map(|v| setting.arena.var_term(*v)).collect();
        let mut heap = setting.heap();
        let forbidden = heap.forbidden_store(0, x, y).map_or(FormulaId::FALSE, |(_, f)| f);
        let stored = heap.store(0, x, y);
        let atom = heap.arena.rel(relation, &terms);
        let after = heap.arena.expand(atom, &stored);
        for heap in heaps() {
            let Ok(before) = setting.write(&heap) else { continue };
            for [x, y] in pairs(&heap).into_iter().filter(|[x, _]| *x != 0) {
                let mut changed = heap.clone();
                changed[x as usize] = y;
                let written = setting.write(&changed);
                let refused = setting.holds(&before, forbidden, [x, y]);
                assert_eq!(refused, written.is_err(), "{theory:?} {heap:?} {x} {y}");
                let Ok(written) = written else { continue };
                let space = written.rel_space(relation);
                for tuple in (0..space.len()).map(|i| space.tuple(i)) {
                    let ends = setting.vars.into_iter().zip([x, y]);
                    let places = params.iter().copied().zip(tuple.iter().copied());
                    let values: Vec<(VarId, Value)> =
                        ends.chain(places).map(|(v, e)| (v, Value::Elem(e))).collect();
                    let says =
                        Evaluator::with(&before, &setting.arena, &values).formula(after).unwrap();
                    let is = written.rel(relation, &tuple);
                    assert_eq!(says, is, "{theory:?} {heap:?} {x} {y} {tuple:?}");
                }
            }
        }
    }
}

/// What a theory excludes at the entry is what it cannot write, asked in one that has all heaps.
#[test]
fn excluded_heaps_are_those_that_cannot_be_written() {
    for theory in THEORIES {
        let mut entry = Setting::new(&Cycles, false);
        let x = entry.terms[0];
        let excluded = theory.excluded(&mut entry.heap(), NOW, x);
        let stray = excluded.map_or(FormulaId::FALSE, |(f, _)| f);
        let setting = Setting::new(theory, false);
        for heap in heaps() {
            let structure = entry.write(&heap).unwrap();
            let some = (0..heap.len() as u32).any(|x| entry.holds(&structure, stray, [x, 0]));
            assert_eq!(some, setting.write(&heap).is_err(), "{theory:?} {heap:?}");
        }
    }
}
