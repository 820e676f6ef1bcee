//! Queries of the shape that PDR asks about insertion sort: 18 terms, 500 clauses with three
//! variables behind guards, of which a query assumes 100, and 40 literals about constants.
//!
//! The clauses are random ones that hold in some heaps, the literals those of such a heap with a few
//! of them turned round. `cargo bench -p trellis-epr --bench pdr_queries`; the time of one iteration
//! is that of one query.

use std::sync::Arc;

use divan::Bencher;
use trellis_epr::EprSolver;
use trellis_logic::{Arena, FormulaId, FunId, RelId, Structure, TermId, Value, Vocabulary};
use trellis_solver::{Answer, Context, Limits, Solver, theory};

const CONSTANTS: usize = 17;
const CLAUSES: usize = 500;
const GUARDS: usize = 100;
const LITERALS: usize = 40;
const QUERIES: usize = 64;

fn main() {
    divan::main();
}

/// A xorshift generator: the same queries in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

struct Bench {
    vocabulary: Vocabulary,
    arena: Arena,
    asserted: Vec<FormulaId>,
    guards: Vec<FormulaId>,
    queries: Vec<Vec<FormulaId>>,
}

/// The symbols that clauses and literals are made of.
struct Symbols {
    binary: Vec<RelId>,
    unary: RelId,
    constants: Vec<FunId>,
}

impl Bench {
    fn new() -> Bench {
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        let mut vocabulary = Vocabulary::new();
        let node = vocabulary.sort("node");
        let null = vocabulary.null("NULL", node);
        let constants: Vec<_> =
            (0..CONSTANTS).map(|i| vocabulary.constant(format!("c{i}"), node)).collect();
        let fields = ["next", "next0"].map(|name| vocabulary.field(name, node, node));
        let mut binary: Vec<_> =
            fields.iter().map(|&f| vocabulary.closure(format!("reach{}", f.index()), f)).collect();
        let order = vocabulary.relation("dle", &[node, node]);
        binary.push(order);
        let unary = vocabulary.relation("mark", &[node]);
        let acts: Vec<_> =
            (0..CLAUSES).map(|i| vocabulary.relation(format!("act{i}"), &[])).collect();
        let mut arena = Arena::new();
        let mut asserted = theory::axioms(&mut arena, &vocabulary);
        asserted.extend(theory::total_preorder(&mut arena, &vocabulary, order));
        let guards: Vec<_> = acts.iter().map(|&a| arena.rel(a, &[])).collect();
        let symbols = Symbols { binary, unary, constants };
        let shared = Arc::new(vocabulary.clone());
        let heaps: Vec<Structure> =
            (0..4).map(|_| heap(&mut numbers, &shared, &symbols, &fields, (null, order))).collect();
        let vars = ["x", "y", "z"].map(|name| arena.variable(name, node));
        let terms: Vec<TermId> = vars.iter().map(|&v| arena.var_term(v)).collect();
        for &guard in &guards {
            let clause = loop {
                let parts: Vec<_> =
                    (0..5).map(|_| literal(&mut numbers, &mut arena, &symbols, &terms)).collect();
                let body = arena.or(parts);
                let clause = arena.forall(&vars, body);
                if heaps.iter().all(|h| h.eval(&arena, clause) == Ok(true)) {
                    break clause;
                }
            };
            asserted.push(arena.implies(guard, clause));
        }
        let constants: Vec<_> = symbols.constants.iter().map(|&c| arena.constant(c)).collect();
        let queries = (0..QUERIES)
            .map(|i| {
                let heap = &heaps[i % heaps.len()];
                let mut assumed: Vec<_> =
                    (0..GUARDS).map(|_| guards[numbers.below(CLAUSES)]).collect();
                for j in 0..LITERALS {
                    let fact = literal(&mut numbers, &mut arena, &symbols, &constants);
                    let holds = heap.eval(&arena, fact) == Ok(true);
                    // Every other query lies eight times.
                    let lies = i % 2 == 1 && j % 5 == 4;
                    assumed.push(if holds == lies { arena.not(fact) } else { fact });
                }
                assumed
            })
            .collect();
        Bench { vocabulary, arena, asserted, guards, queries }
    }

    fn solver(&mut self) -> EprSolver {
        let mut solver = EprSolver::default();
        let Bench { vocabulary, arena, asserted, .. } = self;
        let mut context = Context { vocabulary, arena };
        for &formula in &*asserted {
            solver.assert(&mut context, formula).unwrap();
        }
        solver
    }

    fn ask(&mut self, solver: &mut EprSolver, query: usize, limits: &Limits) -> Answer {
        let Bench { vocabulary, arena, queries, .. } = self;
        solver.check(&mut Context { vocabulary, arena }, &queries[query], limits)
    }
}

/// Lists of up to nine nodes with an order.
fn heap(
    numbers: &mut Numbers,
    vocabulary: &Arc<Vocabulary>,
    symbols: &Symbols,
    fields: &[FunId],
    (null, order): (FunId, RelId),
) -> Structure {
    let size = 10;
    let mut heap = Structure::new(vocabulary.clone(), &[0, size]);
    heap.set_constant(null, 0);
    for &field in fields {
        for from in 1..size {
            let to = numbers.below(from as usize) as u32;
            heap.set_fun(field, &[from], Some(Value::Elem(to)));
        }
    }
    let ranks: Vec<usize> = (0..size).map(|_| numbers.below(5)).collect();
    for x in 0..size {
        heap.set_rel(symbols.unary, &[x], numbers.below(2) == 0);
        for y in 0..size {
            heap.set_rel(order, &[x, y], ranks[x as usize] <= ranks[y as usize]);
        }
    }
    for &constant in &symbols.constants {
        heap.set_constant(constant, numbers.below(size as usize) as u32);
    }
    heap
}

/// A literal about some of the terms.
fn literal(
    numbers: &mut Numbers,
    arena: &mut Arena,
    symbols: &Symbols,
    terms: &[TermId],
) -> FormulaId {
    let (x, y) = (terms[numbers.below(terms.len())], terms[numbers.below(terms.len())]);
    let atom = match numbers.below(8) {
        0 => arena.rel(symbols.unary, &[x]),
        1 | 2 => {
            let constant = symbols.constants[numbers.below(CONSTANTS)];
            let constant = arena.constant(constant);
            arena.eq(x, constant)
        }
        _ => {
            let rel = symbols.binary[numbers.below(symbols.binary.len())];
            arena.rel(rel, &[x, y])
        }
    };
    if numbers.below(2) == 0 { arena.not(atom) } else { atom }
}

fn steady(bencher: Bencher, limits: &Limits) {
    let mut bench = Bench::new();
    let mut solver = bench.solver();
    let answers: Vec<Answer> = (0..QUERIES).map(|q| bench.ask(&mut solver, q, limits)).collect();
    let sat = answers.iter().filter(|a| **a == Answer::Sat).count();
    assert!((QUERIES / 4..=3 * QUERIES / 4).contains(&sat), "{sat} of {QUERIES} are sat");
    assert_eq!(bench.guards.len(), CLAUSES);
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % QUERIES;
        bench.ask(&mut solver, next, limits)
    });
}

/// The answer and the solver's own core.
#[divan::bench]
fn answers(bencher: Bencher) {
    steady(bencher, &Limits::default());
}

/// With a core in which everything is needed.
#[divan::bench]
fn minimised_cores(bencher: Bencher) {
    steady(bencher, &Limits { minimise_core: true, ..Limits::default() });
}
