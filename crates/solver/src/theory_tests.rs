//! The theory against all small functional graphs, and the other way round.

use std::sync::Arc;

use trellis_logic::bits::BitSet;
use trellis_logic::{
    Arena, Definitions, Evaluator, FormulaId, FunId, RelId, Structure, TermId, Value, VarId,
    Vocabulary,
};

use super::{
    allocate, axioms, axioms_of, free, fresh, makes_cycle, store, successor, total_preorder,
};

struct Heap {
    vocabulary: Arc<Vocabulary>,
    arena: Arena,
    field: FunId,
    rel: RelId,
    null: Option<FunId>,
    vars: [VarId; 4],
    terms: [TermId; 4],
}

/// One field with its closure or its betweenness, with or without null.
fn heap(between: bool, with_null: bool) -> Heap {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let null = with_null.then(|| vocabulary.null("NULL", node));
    let field = vocabulary.field("next", node, node);
    let rel = match between {
        true => vocabulary.between("between", field),
        false => vocabulary.closure("reach", field),
    };
    let mut arena = Arena::new();
    let vars = ["a", "b", "c", "d"].map(|name| arena.variable(name, node));
    let terms = vars.map(|v| arena.var_term(v));
    Heap { vocabulary: Arc::new(vocabulary), arena, field, rel, null, vars, terms }
}

impl Heap {
    /// The structure of a graph: where every node but null (node zero, if there is one) points.
    fn structure(&self, next: &[u32]) -> Structure {
        let mut structure = Structure::new(self.vocabulary.clone(), &[0, next.len() as u32]);
        for (from, &to) in next.iter().enumerate() {
            structure.set_fun(self.field, &[from as u32], Some(Value::Elem(to)));
        }
        if let Some(null) = self.null {
            structure.set_constant(null, 0);
            structure.set_fun(self.field, &[0], None);
        }
        structure
    }

    /// All graphs on so many nodes; null points to itself.
    fn graphs(&self, size: u32) -> Vec<Vec<u32>> {
        let mut graphs = vec![Vec::new()];
        for node in 0..size {
            let targets = if node == 0 && self.null.is_some() { 0..1 } else { 0..size };
            graphs = graphs
                .iter()
                .flat_map(|g| targets.clone().map(move |to| [&g[..], &[to]].concat()))
                .collect();
        }
        graphs
    }

    fn holds(&self, structure: &Structure, formula: FormulaId, values: &[u32]) -> bool {
        let values: Vec<(VarId, Value)> =
            self.vars.iter().copied().zip(values.iter().map(|&v| Value::Elem(v))).collect();
        Evaluator::with(structure, &self.arena, &values).formula(formula).unwrap()
    }
}

/// Whether every node but those on no list comes to null.
fn acyclic(graph: &[u32]) -> bool {
    (0..graph.len()).all(|mut at| {
        for _ in 0..graph.len() {
            at = graph[at] as usize;
        }
        at == 0
    })
}

fn tuples(size: u32, arity: usize) -> impl Iterator<Item = Vec<u32>> {
    (0..size.pow(arity as u32))
        .map(move |code| (0..arity as u32).map(|i| code / size.pow(i) % size).collect())
}

#[test]
fn graphs_satisfy_the_axioms_and_loads_and_stores_are_the_concrete_ones() {
    let mut checked = 0;
    for between in [false, true] {
        let mut heap = heap(between, true);
        let vocabulary = heap.vocabulary.clone();
        let [x, y, a, b] = heap.terms;
        let axioms = axioms(&mut heap.arena, &vocabulary);
        assert_eq!(axioms.len(), if between { 8 } else { 6 });
        let load = successor(&mut heap.arena, &vocabulary, heap.rel, x, y);
        let cycle = makes_cycle(&mut heap.arena, &vocabulary, heap.rel, x, y);
        let definitions: Definitions = store(&mut heap.arena, &vocabulary, heap.rel, x, y);
        let between_args = [a, a, b];
        let args = if between { &between_args[..] } else { &[a, b] };
        let atom = heap.arena.rel(heap.rel, args);
        let stored = heap.arena.expand(atom, &definitions);
        for size in 1..=4 {
            for graph in heap.graphs(size) {
                if !between && !acyclic(&graph) {
                    continue;
                }
                let before = heap.structure(&graph);
                for &axiom in &axioms {
                    assert_eq!(before.eval(&heap.arena, axiom), Ok(true), "{graph:?}");
                }
                for pair in tuples(size, 2) {
                    let points = match pair[0] {
                        0 => between && pair[1] == 0,
                        from => graph[from as usize] == pair[1],
                    };
                    assert_eq!(heap.holds(&before, load, &pair), points, "{graph:?} {pair:?}");
                    if pair[0] == 0 {
                        continue;
                    }
                    let mut changed = graph.clone();
                    changed[pair[0] as usize] = pair[1];
                    if !between {
                        let closes = !acyclic(&changed);
                        assert_eq!(heap.holds(&before, cycle, &pair), closes);
                        if closes {
                            continue;
                        }
                    }
                    let after = heap.structure(&changed);
                    for rest in tuples(size, 2) {
                        let values = [&pair[..], &rest].concat();
                        let expected = heap.holds(&after, atom, &values);
                        let found = heap.holds(&before, stored, &values);
                        assert_eq!(found, expected, "{graph:?} {values:?}");
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}

#[test]
fn the_ternary_store_is_the_concrete_one_for_all_triples() {
    let mut heap = heap(true, false);
    let vocabulary = heap.vocabulary.clone();
    let [x, y, a, b] = heap.terms;
    let c = heap.arena.variable("e", heap.arena.var(heap.vars[0]).sort);
    let middle = heap.arena.var_term(c);
    let definitions = store(&mut heap.arena, &vocabulary, heap.rel, x, y);
    let atom = heap.arena.rel(heap.rel, &[a, middle, b]);
    let stored = heap.arena.expand(atom, &definitions);
    for size in 1..=3 {
        for graph in heap.graphs(size) {
            let before = heap.structure(&graph);
            for tuple in tuples(size, 5) {
                let mut changed = graph.clone();
                changed[tuple[0] as usize] = tuple[1];
                let after = heap.structure(&changed);
                let vars = heap.vars.iter().copied().chain([c]);
                let values: Vec<(VarId, Value)> =
                    vars.zip(tuple.iter().map(|&v| Value::Elem(v))).collect();
                assert_eq!(
                    before.eval_with(&heap.arena, stored, &values),
                    after.eval_with(&heap.arena, atom, &values),
                    "{graph:?} {tuple:?}"
                );
            }
        }
    }
}

#[test]
fn models_of_the_closure_axioms_are_closures() {
    let mut heap = heap(false, true);
    let vocabulary = heap.vocabulary.clone();
    let axioms = axioms_of(&mut heap.arena, &vocabulary, heap.rel);
    for size in 1..=3_u32 {
        let mut models = 0;
        for code in 0..1_u32 << (size * size) {
            let mut structure = heap.structure(&vec![0; size as usize]);
            structure.set_rel_table(heap.rel, bits(code, size * size));
            if axioms.iter().all(|&a| structure.eval(&heap.arena, a) == Ok(true)) {
                models += 1;
                assert!(structure.recover_field(heap.rel));
                let end = |x: u32| structure.fun(heap.field, &[x]).is_some() == (x != 0);
                assert!((0..size).all(end), "all but null have a successor");
            }
        }
        let graphs = heap.graphs(size).iter().filter(|g| acyclic(g)).count();
        assert_eq!(models, graphs);
    }
}

#[test]
fn models_of_the_betweenness_axioms_are_functional_graphs() {
    let mut heap = heap(true, false);
    let vocabulary = heap.vocabulary.clone();
    let axioms = axioms_of(&mut heap.arena, &vocabulary, heap.rel);
    for size in 1..=3_u32 {
        let mut models = Vec::new();
        let space = heap.structure(&vec![0; size as usize]).rel_space(heap.rel);
        // The axioms force B(x, x, z) = B(x, z, z) = R(x, z) and B(x, y, x) = (x = y); what is left
        // is R, and B on three different elements.
        let free: Vec<Vec<u32>> = tuples(size, 3)
            .filter(|t| t[0] != t[1] && t[0] != t[2] && (t[1] == t[2] || size > 2))
            .collect();
        for code in 0..1_u32 << free.len() {
            let mut table = BitSet::new(space.len());
            for x in 0..size {
                table.set(space.index(&[x, x, x]), true);
            }
            for (i, t) in free.iter().enumerate() {
                let value = code >> i & 1 == 1;
                table.set(space.index(t), value);
                if t[1] == t[2] {
                    table.set(space.index(&[t[0], t[0], t[2]]), value);
                }
            }
            let mut structure = heap.structure(&vec![0; size as usize]);
            structure.set_rel_table(heap.rel, table.clone());
            if axioms.iter().all(|&a| structure.eval(&heap.arena, a) == Ok(true)) {
                models.push(table);
            }
        }
        let mut graphs: Vec<BitSet> = heap
            .graphs(size)
            .iter()
            .map(|g| heap.structure(g).rel_table(heap.rel).into_owned())
            .collect();
        models.sort();
        graphs.sort();
        assert_eq!(models, graphs);
        assert_eq!(models.len(), size.pow(size) as usize);
    }
}

#[test]
fn the_two_views_of_a_field_agree() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let field = vocabulary.field("next", node, node);
    vocabulary.closure("reach", field);
    let between = vocabulary.between("between", field);
    let mut arena = Arena::new();
    let axioms = axioms_of(&mut arena, &vocabulary, between);
    let mut structure = Structure::new(Arc::new(vocabulary), &[0, 3]);
    for (from, to) in [(0, 1), (1, 2), (2, 1)] {
        structure.set_fun(field, &[from], Some(Value::Elem(to)));
    }
    for axiom in axioms {
        assert_eq!(structure.eval(&arena, axiom), Ok(true));
    }
}

#[test]
fn orders_are_total() {
    let mut vocabulary = Vocabulary::new();
    let value = vocabulary.sort("value");
    let order = vocabulary.order("le", value);
    let mut arena = Arena::new();
    let strict = axioms_of(&mut arena, &vocabulary, order);
    let loose = total_preorder(&mut arena, &vocabulary, order);
    let vocabulary = Arc::new(vocabulary);
    let count = |axioms: &[FormulaId]| {
        (0..1_u32 << 9)
            .filter(|&code| {
                let mut structure = Structure::new(vocabulary.clone(), &[0, 3]);
                structure.set_rel_table(order, bits(code, 9));
                axioms.iter().all(|&a| structure.eval(&arena, a) == Ok(true))
            })
            .count()
    };
    assert_eq!((count(&strict), count(&loose)), (6, 13));
}

#[test]
fn allocation_and_release_change_one_node() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let null = vocabulary.null("NULL", node);
    let alloc = vocabulary.state_relation("alloc", &[node]);
    let mut arena = Arena::new();
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, node));
    let (x_term, y_term) = (arena.var_term(x), arena.var_term(y));
    let allocated = arena.rel(alloc, &[y_term]);
    let is_fresh = fresh(&mut arena, &vocabulary, alloc, x_term);
    let definitions = allocate(&mut arena, &vocabulary, alloc, x_term);
    let after_malloc = arena.expand(allocated, &definitions);
    let definitions = free(&mut arena, &vocabulary, alloc, x_term);
    let after_free = arena.expand(allocated, &definitions);
    let vocabulary = Arc::new(vocabulary);
    for code in 0..8 {
        let mut structure = Structure::new(vocabulary.clone(), &[0, 3]);
        structure.set_constant(null, 0);
        structure.set_rel_table(alloc, bits(code, 3));
        for pair in tuples(3, 2) {
            let values = [(x, Value::Elem(pair[0])), (y, Value::Elem(pair[1]))];
            let eval = |f| structure.eval_with(&arena, f, &values).unwrap();
            let (before, here) = (code >> pair[1] & 1 == 1, pair[0] == pair[1]);
            assert_eq!(eval(after_malloc), before || here);
            assert_eq!(eval(after_free), before && !here);
            assert_eq!(eval(is_fresh), pair[0] != 0 && code >> pair[0] & 1 == 0);
        }
    }
}

fn bits(code: u32, len: u32) -> BitSet {
    let mut bits = BitSet::new(len as usize);
    for i in 0..len {
        bits.set(i as usize, code >> i & 1 == 1);
    }
    bits
}
