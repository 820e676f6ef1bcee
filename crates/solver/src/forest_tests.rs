//! The laws of forests against all small ones.

use std::sync::Arc;

use trellis_logic::{
    Arena, Evaluator, FormulaId, FunId, RelId, SortId, Structure, TermId, Value, VarId, Vocabulary,
};

use super::Forest;

/// Null and so many nodes, less one.
const MOST: usize = 5;
/// What the two fields of every element hold; null is the first.
type Heap = Vec<[usize; 2]>;

struct Setting {
    vocabulary: Arc<Vocabulary>,
    arena: Arena,
    sort: SortId,
    null: FunId,
    rels: [RelId; 2],
    vars: [VarId; 4],
    terms: [TermId; 4],
}

impl Setting {
    fn new() -> Setting {
        let mut vocabulary = Vocabulary::new();
        let sort = vocabulary.sort("node");
        let null = vocabulary.null("NULL", sort);
        let rels = ["left", "right"].map(|name| {
            let field = vocabulary.field(name, sort, sort);
            vocabulary.below("{left, right}", field)
        });
        let mut arena = Arena::new();
        let vars = ["x", "y", "a", "b"].map(|name| arena.variable(name, sort));
        let terms = vars.map(|v| arena.var_term(v));
        Setting { vocabulary: Arc::new(vocabulary), arena, sort, null, rels, vars, terms }
    }

    fn laws<T>(&mut self, make: impl FnOnce(&mut Forest<'_>) -> T) -> T {
        let null = self.arena.constant(self.null);
        make(&mut Forest::new(&mut self.arena, &self.rels, self.sort, null))
    }

    fn structure(&self, heap: &Heap) -> Structure {
        let mut out = Structure::new(self.vocabulary.clone(), &[0, heap.len() as u32]);
        out.set_constant(self.null, 0);
        for x in 1..heap.len() {
            for (field, rel) in self.rels.iter().enumerate() {
                let y = heap[x][field];
                for z in below(heap, y) {
                    out.set_rel(*rel, &[x as u32, z as u32], true);
                }
            }
        }
        out
    }

    fn holds(&self, structure: &Structure, formula: FormulaId, values: &[usize]) -> bool {
        let values: Vec<(VarId, Value)> =
            self.vars.into_iter().zip(values.iter().map(|v| Value::Elem(*v as u32))).collect();
        Evaluator::with(structure, &self.arena, &values).formula(formula).unwrap()
    }
}

/// The nodes at and below one.
fn below(heap: &Heap, top: usize) -> Vec<usize> {
    let (mut out, mut todo) = (Vec::new(), vec![top]);
    while let Some(x) = todo.pop() {
        if x != 0 && !out.contains(&x) {
            out.push(x);
            todo.extend(heap[x]);
        }
    }
    out
}

fn is_forest(heap: &Heap) -> bool {
    let edges = heap.iter().flatten().filter(|y| **y != 0);
    let shared = (1..heap.len()).any(|y| edges.clone().filter(|z| **z == y).count() > 1);
    let cyclic =
        (1..heap.len()).any(|x| heap[x].iter().any(|y| *y != 0 && below(heap, *y).contains(&x)));
    !shared && !cyclic
}

/// All forests of null and up to four nodes.
fn forests() -> Vec<Heap> {
    let mut all = Vec::new();
    for size in 1..=MOST {
        let cells = 2 * (size - 1);
        for code in 0..size.pow(cells as u32) {
            let digit = |i: usize| code / size.pow(i as u32) % size;
            let mut heap: Heap = vec![[0, 0]];
            heap.extend((0..size - 1).map(|n| [digit(2 * n), digit(2 * n + 1)]));
            if is_forest(&heap) {
                all.push(heap);
            }
        }
    }
    all
}

#[test]
fn forests_satisfy_the_axioms_and_few_other_structures_do() {
    let mut setting = Setting::new();
    let axioms = setting.laws(|laws| laws.axioms());
    let all = forests();
    for heap in &all {
        let structure = setting.structure(heap);
        assert!(axioms.iter().all(|a| setting.holds(&structure, *a, &[])), "{heap:?}");
    }
    // Of n nodes there are as many models as forests whose edges carry a side, with any number of
    // children a side.
    for (nodes, expected) in [(0_usize, 1), (1, 1), (2, 5), (3, 49)] {
        let pairs: Vec<[u32; 2]> = (1..=nodes as u32)
            .flat_map(|x| (1..=nodes as u32).map(move |y| [x, y]))
            .filter(|[x, y]| x != y)
            .collect();
        let mut models = 0;
        for code in 0..3_usize.pow(pairs.len() as u32) {
            let mut structure = setting.structure(&vec![[0, 0]; nodes + 1]);
            for (i, pair) in pairs.iter().enumerate() {
                match code / 3_usize.pow(i as u32) % 3 {
                    0 => {}
                    side => structure.set_rel(setting.rels[side - 1], pair, true),
                }
            }
            models += usize::from(axioms.iter().all(|a| setting.holds(&structure, *a, &[])));
        }
        assert_eq!(models, expected, "{nodes} nodes");
    }
}

#[test]
fn loads_and_spines_are_those_of_the_heap() {
    let mut setting = Setting::new();
    let [x, y, ..] = setting.terms;
    let loads = [0, 1].map(|field| setting.laws(|laws| laws.load(field, x, y)));
    let spines = [0, 1].map(|field| setting.laws(|laws| laws.spine(field, x, y)));
    for heap in forests() {
        let structure = setting.structure(&heap);
        for x in 1..heap.len() {
            for field in 0..2 {
                let mut on_spine = vec![x];
                while on_spine[on_spine.len() - 1] != 0 {
                    on_spine.push(heap[on_spine[on_spine.len() - 1]][field]);
                }
                for y in 0..heap.len() {
                    let says = |formula| setting.holds(&structure, formula, &[x, y]);
                    assert_eq!(says(loads[field]), heap[x][field] == y, "{heap:?} {x} {y}");
                    assert_eq!(says(spines[field]), on_spine.contains(&y), "{heap:?} {x} {y}");
                }
            }
        }
    }
}

#[test]
fn stores_are_detachments_and_allowed_attachments() {
    let mut setting = Setting::new();
    let [x, y, a, b] = setting.terms;
    let mut checked = 0;
    for field in 0..2 {
        let (detach, attach, forbidden) = setting.laws(|laws| {
            let detach = laws.detach(Some(field), x);
            (detach, laws.attach(field, FormulaId::TRUE, x, y), laws.forbidden(x, y))
        });
        let all = setting.laws(|laws| laws.detach(None, x));
        let atoms = setting.rels.map(|rel| setting.arena.rel(rel, &[a, b]));
        let detached = atoms.map(|atom| setting.arena.expand(atom, &detach));
        let bare = atoms.map(|atom| setting.arena.expand(atom, &all));
        let attached = atoms.map(|atom| {
            let after = setting.arena.expand(atom, &attach);
            setting.arena.expand(after, &detach)
        });
        let forbidden = setting.arena.expand(forbidden, &detach);
        for heap in forests() {
            let before = setting.structure(&heap);
            for x in 1..heap.len() {
                for y in 0..heap.len() {
                    let (mut cut, mut lost, mut changed) =
                        (heap.clone(), heap.clone(), heap.clone());
                    cut[x][field] = 0;
                    lost[x] = [0, 0];
                    changed[x][field] = y;
                    let fine = is_forest(&changed);
                    assert_eq!(
                        setting.holds(&before, forbidden, &[x, y]),
                        !fine,
                        "{heap:?} {x} {y}"
                    );
                    for (heap, formulas) in [(&cut, detached), (&lost, bare), (&changed, attached)]
                    {
                        if !is_forest(heap) {
                            continue;
                        }
                        let after = setting.structure(heap);
                        for pair in
                            (1..heap.len()).flat_map(|a| (1..heap.len()).map(move |b| [a, b]))
                        {
                            for (side, formula) in formulas.into_iter().enumerate() {
                                let is =
                                    setting.holds(&after, atoms[side], &[x, y, pair[0], pair[1]]);
                                let says =
                                    setting.holds(&before, formula, &[x, y, pair[0], pair[1]]);
                                assert_eq!(says, is, "{heap:?} {x} {y} {pair:?}");
                                checked += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}

/// A condition that does not hold, or null, changes nothing.
#[test]
fn nothing_is_attached_without_a_reason() {
    let mut setting = Setting::new();
    let [x, y, a, b] = setting.terms;
    let null = setting.arena.constant(setting.null);
    let never = setting.laws(|laws| laws.attach(0, FormulaId::FALSE, x, y));
    let nothing = setting.laws(|laws| laws.attach(0, FormulaId::TRUE, x, null));
    for rel in setting.rels {
        let atom = setting.arena.rel(rel, &[a, b]);
        let expanded = setting.arena.expand(atom, &never);
        assert_eq!(expanded, atom);
        let unchanged = setting.arena.expand(atom, &nothing);
        assert_eq!(unchanged, atom);
    }
}
